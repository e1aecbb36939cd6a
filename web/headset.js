// A headset by WebXR: its session gives the moments, the program draws them. Poses are in metres of the room.

/** Floats of an eye: place, orientation, projection, part of the framebuffer. The program reads them in this order. */
const EYE = 3 + 4 + 16 + 4;
/** Floats of a hand: whether it is there, grip, start and direction of its line, two triggers, two buttons, stick. */
const HAND = 1 + 3 + 3 + 3 + 2 + 2 + 2;
/** Nearest and farthest distance of what is drawn. Unit: metres. */
const DEPTHS = { depthNear: 0.05, depthFar: 300 };
/** How much the borders of the picture may be coarser, where the headset can: 0 not at all, 1 most. */
const FOVEATION = 0.7;

/** Whether a headset can be put on here. */
export async function isOffered() {
  try {
    return Boolean(await navigator.xr?.isSessionSupported("immersive-vr"));
  } catch {
    return false;
  }
}

/** Puts a headset on; resolves when it is taken off. Has to be called by a press of the user's. */
export async function wear(canvas, sea) {
  const session = await navigator.xr.requestSession("immersive-vr", {
    optionalFeatures: ["local-floor", "hand-tracking"],
  });
  const ended = new Promise((resolve) => session.addEventListener("end", resolve, { once: true }));
  try {
    const gl = canvas.getContext("webgl2");
    await gl.makeXRCompatible();
    const layer = new XRWebGLLayer(session, gl, { alpha: false, antialias: false, depth: false, stencil: false });
    if ("fixedFoveation" in layer) layer.fixedFoveation = FOVEATION;
    await session.updateRenderState({ baseLayer: layer, ...DEPTHS });
    const room = await requestRoom(session, sea);
    const held = watchPresses(session);
    let failure;
    const draw = (_, frame) => {
      session.requestAnimationFrame(draw);
      const pose = frame.getViewerPose(room);
      // Nothing is known of the head, as when the headset has just been put down.
      if (!pose) return;
      // The left eye comes first: no order is promised. Views may be switched off.
      const views = pose.views
        .map((view) => ({ view, part: layer.getViewport(view) }))
        .filter(({ part }) => part?.width > 0 && part.height > 0)
        .sort((a, b) => (a.view.eye === "right") - (b.view.eye === "right"));
      const eyes = new Float32Array(views.length * EYE);
      views.forEach((view, i) => writeEye(eyes.subarray(i * EYE), view));
      const hands = new Float32Array(2 * HAND);
      for (const source of session.inputSources) writeHand(hands, source, frame, room, held.get(source));
      try {
        sea.headsetFrame(layer.framebuffer ?? undefined, session.frameRate ?? undefined, eyes, hands);
      } catch (error) {
        // There is nothing to be seen any more: better the room than a picture that stands still.
        failure ??= error;
        session.end().catch(() => {});
      }
    };
    session.requestAnimationFrame(draw);
    await ended;
    if (failure) throw failure;
  } catch (error) {
    await session.end().catch(() => {});
    throw error;
  } finally {
    sea.takeHeadsetOff();
  }
}

/** Space of the room, whose floor is at y = 0. */
async function requestRoom(session, sea) {
  try {
    return await session.requestReferenceSpace("local-floor");
  } catch {
    const seated = await session.requestReferenceSpace("local");
    return seated.getOffsetReferenceSpace(new XRRigidTransform({ x: 0, y: -sea.eyeHeight(), z: 0 }));
  }
}

/** Presses of sources that have no buttons to look at, such as bare hands. */
function watchPresses(session) {
  const held = new Map();
  for (const [begin, end, key] of [["selectstart", "selectend", "select"], ["squeezestart", "squeezeend", "squeeze"]]) {
    const set = (down) => ({ inputSource }) => held.set(inputSource, { ...held.get(inputSource), [key]: down });
    session.addEventListener(begin, set(true));
    session.addEventListener(end, set(false));
  }
  return held;
}

function writeEye(to, { view, part }) {
  const { position: p, orientation: q } = view.transform;
  to.set([p.x, p.y, p.z, q.x, q.y, q.z, q.w]);
  to.set(view.projectionMatrix, 7);
  to.set([part.x, part.y, part.width, part.height], 7 + 16);
}

function writeHand(hands, source, frame, room, held) {
  const side = source.handedness === "left" ? 0 : 1;
  const aim = frame.getPose(source.targetRaySpace, room);
  if (!aim) return;
  const grip = source.gripSpace ? frame.getPose(source.gripSpace, room) : aim;
  const at = (grip ?? aim).transform.position;
  const { position: from, matrix } = aim.transform;
  // The line goes along -z of its space.
  const line = [from.x, from.y, from.z, -matrix[8], -matrix[9], -matrix[10]];
  const { buttons = [], axes = [] } = source.gamepad ?? {};
  const pressed = (i) => Number(buttons[i]?.pressed ?? false);
  const trigger = Math.max(pressed(0), Number(held?.select ?? false));
  const squeeze = Math.max(pressed(1), Number(held?.squeeze ?? false));
  // A touchpad comes first where there is one; a stick's y grows towards the user.
  const stick = axes.length >= 4 ? [axes[2], -axes[3]] : [axes[0] ?? 0, -(axes[1] ?? 0)];
  hands.set([1, at.x, at.y, at.z, ...line, trigger, squeeze, pressed(4), pressed(5), ...stick], side * HAND);
}
