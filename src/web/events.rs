//! Conversion of the browser's events to the demo's [`Input`].

use std::cell::RefCell;
use std::rc::Rc;

use demo::input::{Action, Input};
use demo::keys;
use demo::keys::Key;
use egui::{Event as UiEvent, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, TouchPhase, vec2};
use glam::Vec2;
use wasm_bindgen::convert::FromWasmAbi;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ClipboardEvent, Event, EventTarget, KeyboardEvent, MouseEvent, PointerEvent, WheelEvent};

use crate::web::canvas::Canvas;
use crate::web::fingers::{Fingers, Touched};

/// Distance of a notch of the wheel. Unit: points.
const NOTCH_POINTS: f32 = 100.0;
/// Distance of a line. Unit: points.
const LINE_POINTS: f32 = 33.0;
/// Number of the right mouse button.
const RIGHT: i16 = 2;

/// Callback that receives input.
pub type Taker = fn(Vec<Input>);

/// State for interpreting events.
struct Listener {
    canvas: Rc<Canvas>,
    fingers: Fingers,
    take: Taker,
}

/// Passes events of the canvas and of the page around it to `take`.
pub fn listen(canvas: &Rc<Canvas>, take: Taker) {
    let listener = Rc::new(RefCell::new(Listener { canvas: canvas.clone(), fingers: Fingers::default(), take }));
    let on_canvas: EventTarget = canvas.element.clone().into();
    // Stops the browser from scrolling and zooming by touch.
    let _ = canvas.element.style().set_property("touch-action", "none");
    let on_page: EventTarget = canvas.window().clone().into();
    for kind in ["keydown", "keyup"] {
        on(&listener, &on_page, kind, Listener::key);
    }
    on(&listener, &on_page, "blur", |listener: &mut Listener, _: Event| listener.hand_on(vec![Input::FocusLost]));
    on(&listener, &on_page, "paste", Listener::paste);
    for kind in ["pointerdown", "pointermove", "pointerup", "pointercancel", "pointerleave"] {
        on(&listener, &on_canvas, kind, Listener::pointer);
    }
    on(&listener, &on_canvas, "wheel", Listener::wheel);
    on(&listener, &on_canvas, "contextmenu", |_: &mut Listener, event: Event| event.prevent_default());
    if let Some(document) = canvas.document() {
        on(&listener, &document, "visibilitychange", |listener: &mut Listener, _: Event| {
            let hidden = listener.canvas.is_hidden();
            listener.hand_on(vec![Input::Covered(hidden)]);
        });
        // Escape releases the pointer without a key event.
        on(&listener, &document, "pointerlockchange", |listener: &mut Listener, _: Event| {
            if !listener.canvas.has_pointer() {
                listener.hand_on(vec![Input::FocusLost]);
            }
        });
    }
}

/// Calls `handle` with `listener` for every event of a kind, as long as the page exists.
fn on<E: FromWasmAbi + 'static>(
    listener: &Rc<RefCell<Listener>>,
    target: &EventTarget,
    kind: &str,
    mut handle: impl FnMut(&mut Listener, E) + 'static,
) {
    let listener = listener.clone();
    let closure = Closure::<dyn FnMut(E)>::new(move |event| {
        // Handling an event may trigger another one.
        if let Ok(mut listener) = listener.try_borrow_mut() {
            handle(&mut listener, event);
        }
    });
    if target.add_event_listener_with_callback(kind, closure.as_ref().unchecked_ref()).is_err() {
        log::warn!("nothing is heard of the event {kind}");
    }
    closure.forget();
}

impl Listener {
    fn hand_on(&self, inputs: Vec<Input>) {
        (self.take)(inputs);
    }

    fn key(&mut self, event: KeyboardEvent) {
        if !self.is_for_canvas() {
            return;
        }
        let (code, name, down) = (event.code(), event.key(), event.type_() == "keydown");
        let control = event.ctrl_key() || event.meta_key();
        let key = Key { code: &code, name: &name, down, repeat: event.repeat(), control, alt: event.alt_key() };
        // These are the browser's own: reload and the developer tools.
        let input = keys::input(key).filter(|_| !matches!(code.as_str(), "F5" | "F12"));
        let modifiers = modifiers(&event);
        let mut inputs = vec![Input::Ui(UiEvent::ModifiersChanged(modifiers))];
        inputs.extend(ui_key(&event, down, modifiers).into_iter().map(Input::Ui));
        if input.is_some() || matches!(name.as_str(), "Backspace" | "Tab" | "Enter" | "Home" | "End" | "/" | "'") {
            event.prevent_default();
        }
        inputs.extend(input);
        self.hand_on(inputs);
    }

    /// Whether keys go to the canvas, and not to a field or a button of the page.
    fn is_for_canvas(&self) -> bool {
        let active = self.canvas.document().and_then(|document| document.active_element());
        active.is_none_or(|active| active.tag_name() == "BODY" || active == **self.canvas.element)
    }

    fn paste(&mut self, event: ClipboardEvent) {
        let text = event.clipboard_data().and_then(|data| data.get_data("text").ok()).filter(|text| !text.is_empty());
        if self.is_for_canvas()
            && let Some(text) = text
        {
            event.prevent_default();
            self.hand_on(vec![Input::Ui(UiEvent::Paste(text))]);
        }
    }

    fn pointer(&mut self, event: PointerEvent) {
        if event.pointer_type() == "touch" {
            event.prevent_default();
            return self.finger(&event);
        }
        let (pos, modifiers) = (place(&event), modifiers_of(&event));
        let inputs = match event.type_().as_str() {
            "pointerleave" => vec![Input::Ui(UiEvent::PointerGone)],
            // A button pressed while another is held is reported as a movement.
            "pointermove" if event.button() < 0 => {
                let movement = Vec2::new(event.movement_x() as f32, event.movement_y() as f32);
                vec![Input::Ui(UiEvent::PointerMoved(pos)), Input::Mouse(movement)]
            }
            _ => {
                let pressed = event.buttons() != 0 && event.type_() != "pointercancel";
                let right = event.button() == RIGHT;
                if !right {
                    self.canvas.is_pressed.set(pressed);
                }
                if pressed && self.canvas.element.set_pointer_capture(event.pointer_id()).is_err() {
                    log::debug!("the pointer is not captured");
                }
                let button = if right { PointerButton::Secondary } else { PointerButton::Primary };
                let moved = Input::Ui(UiEvent::PointerMoved(pos));
                let ui = Input::Ui(UiEvent::PointerButton { pos, button, pressed, modifiers });
                let at = Vec2::new(pos.x, pos.y) * self.canvas.scale() as f32;
                let own = match right {
                    true => pressed.then_some(Input::Frighten(Some(at))),
                    false => Some(Input::Button { down: pressed }),
                };
                [moved, ui].into_iter().chain(own).collect()
            }
        };
        self.hand_on(inputs);
    }

    fn finger(&mut self, event: &PointerEvent) {
        let (pos, finger, modifiers) = (place(event), event.pointer_id(), modifiers_of(event));
        let at = Vec2::new(pos.x, pos.y);
        let button = |pressed| UiEvent::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers };
        let (ui, touched) = match event.type_().as_str() {
            "pointerdown" => {
                (vec![UiEvent::PointerMoved(pos), button(true)], self.fingers.press(finger, at, event.time_stamp()))
            }
            "pointermove" => (vec![UiEvent::PointerMoved(pos)], self.fingers.slide(finger, at)),
            "pointerleave" => return,
            kind => {
                let lifted_ms = (kind == "pointerup").then(|| event.time_stamp());
                (vec![button(false), UiEvent::PointerGone], self.fingers.lift(finger, lifted_ms))
            }
        };
        let ui = ui.into_iter().filter(|_| event.is_primary()).map(Input::Ui);
        let touched = touched.map(|touched| match touched {
            Touched::Frighten(at) => Input::Frighten(Some(at * self.canvas.scale() as f32)),
            Touched::Look(way) => Input::Look(way),
            Touched::Swim(sticks) => Input::Sticks(sticks),
        });
        self.hand_on(ui.chain(touched).collect());
    }

    fn wheel(&mut self, event: WheelEvent) {
        event.prevent_default();
        let points = match event.delta_mode() {
            WheelEvent::DOM_DELTA_PIXEL => 1.0,
            WheelEvent::DOM_DELTA_LINE => LINE_POINTS,
            _ => 8.0 * LINE_POINTS,
        };
        // The page gives the direction in which its content goes, egui the one from which it comes.
        let delta = -points * vec2(event.delta_x() as f32, event.delta_y() as f32);
        let ui = UiEvent::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta,
            phase: TouchPhase::Move,
            source: MouseWheelSource::Unknown,
            modifiers: modifiers_of(&event),
        };
        self.hand_on(vec![Input::Ui(ui), Input::Wheel(delta.y / NOTCH_POINTS)]);
    }
}

/// Input that an action's key would give, for devices without a keyboard.
pub fn press(action: Action) -> Input {
    Input::Action { action, repeat: false }
}

/// Position in the canvas. Unit: points.
fn place(event: &MouseEvent) -> Pos2 {
    Pos2::new(event.offset_x() as f32, event.offset_y() as f32)
}

fn modifiers_of(event: &MouseEvent) -> Modifiers {
    let (ctrl, mac_cmd) = (event.ctrl_key(), event.meta_key());
    Modifiers { alt: event.alt_key(), ctrl, shift: event.shift_key(), mac_cmd, command: ctrl || mac_cmd }
}

fn modifiers(event: &KeyboardEvent) -> Modifiers {
    let (ctrl, mac_cmd) = (event.ctrl_key(), event.meta_key());
    Modifiers { alt: event.alt_key(), ctrl, shift: event.shift_key(), mac_cmd, command: ctrl || mac_cmd }
}

/// Events of egui for a key, for text fields.
fn ui_key(event: &KeyboardEvent, pressed: bool, modifiers: Modifiers) -> Vec<UiEvent> {
    let name = event.key();
    let key = egui::Key::from_name(&name);
    let mut events = Vec::new();
    match key {
        Some(egui::Key::C) if pressed && modifiers.command => events.push(UiEvent::Copy),
        Some(egui::Key::X) if pressed && modifiers.command => events.push(UiEvent::Cut),
        // Pasting comes as an event of its own.
        Some(egui::Key::V) if modifiers.command => {}
        Some(key) => {
            let physical_key = egui::Key::from_name(&event.code());
            events.push(UiEvent::Key { key, physical_key, pressed, repeat: event.repeat(), modifiers });
        }
        None => {}
    }
    if pressed && name.chars().count() == 1 && !modifiers.command {
        events.push(UiEvent::Text(name));
    }
    events
}

/// Calls `handle` when an event of that kind happens to the canvas.
pub fn on_canvas(canvas: &Canvas, kind: &str, mut handle: impl FnMut() + 'static) {
    let closure = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
        event.prevent_default();
        handle();
    });
    let listener: &js_sys::Function = JsCast::unchecked_ref::<js_sys::Function>(AsRef::<JsValue>::as_ref(&closure));
    if canvas.element.add_event_listener_with_callback(kind, listener).is_err() {
        log::warn!("nothing is heard of the event {kind}");
    }
    closure.forget();
}
