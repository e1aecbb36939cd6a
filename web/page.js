// The page around the sea: loading, controls, files in and out. The sea itself, its keys and its panel are the program's.

import { Editor } from "./editor.js";
import * as headset from "./headset.js";
import * as loading from "./loading.js";
import * as words from "./texts.js";

const { text } = words;
const element = (id) => document.getElementById(id);

/** How much dropped files may hold together: more than any scene, less than what makes a browser give up. */
const DROP_MB = 200;
/** How long the controls stay while nobody moves. Unit: milliseconds. */
const QUIET_MS = 5000;
/** How often the page asks what is shown. Unit: milliseconds. */
const LOOK_MS = 500;
/** Jerlov's types, clear to murky, of the open ocean and of the coast. */
const WATERS = { "water-ocean": ["I", "IA", "IB", "II", "III"], "water-coast": ["1C", "3C", "5C", "7C", "9C"] };
/** What lies over the water, one at a time. */
const SHEETS = ["picker", "help", "measure"];
const QUALITIES = ["auto", "low", "medium", "high", "ultra"];
/** What the sea's context is to be: the program draws into targets of its own, and the last of all into the canvas. */
const CONTEXT = { alpha: false, antialias: false, depth: false, stencil: false, powerPreference: "high-performance" };
/** What is said when the browser has no more memory: of a mistake of its own a program tells before it stops. */
const MEMORY = /memory|alloc|unreachable/i;

/** The program's exports, once it is here. */
let sea;
let list;
let editor;
/** What is shown, as the program says. */
let state = {};
/** Whether what is shown first is still being fetched. */
let fetching = true;
/** Whether textures are fetched in the smaller size. */
let small = true;
/** The session of a headset, while one is worn. */
let worn = null;

// ---- Loading ----

const bar = (share) => (element("bar").style.transform = `scaleX(${share})`);
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

/** How much of the bar is behind when the program is there, and when the files are. */
const BAR_PROGRAM = 0.15;
const BAR_FILES = 0.85;

function progress(step, from, to) {
  element("step").textContent = step;
  return new loading.Progress((done, total) => {
    element("bytes").textContent = text("megabytes", megabytes(done), megabytes(total));
    bar(from + ((to - from) * done) / total);
  });
}

/** Ends with a sentence in place of the sea. */
function fail(sentence) {
  document.body.classList.add("loading");
  element("progress").hidden = true;
  element("tagline").hidden = true;
  element("failure-text").textContent = sentence;
  element("failure").hidden = false;
}

/** Whether something ended for want of memory. */
function starved(error) {
  return (error instanceof RangeError || error instanceof WebAssembly.RuntimeError) && MEMORY.test(error.message);
}

/** A mistake as a sentence. */
function sentence(error) {
  return starved(error) ? text("fail-memory") : (error?.message ?? String(error));
}

/** A mistake of the program or the page, which none of it should be. */
function crashed(error) {
  // The program has said more of it, if it could.
  if (!element("failure").hidden) return;
  fail(starved(error) ? text("fail-memory") : text("fail-crash", error?.message ?? error));
}

/** Makes the context of the sea, which the program finds there; why there can be none, if that is so. */
function missing() {
  const gl = element("sea").getContext("webgl2", CONTEXT);
  if (!gl) return text("fail-webgl2");
  return gl.getExtension("EXT_color_buffer_float") ? null : text("fail-float");
}

async function main() {
  document.querySelector(".late").remove();
  words.choose(location.search);
  words.fill();
  const asked = loading.manifest();
  // Its awaiter hears of a failure.
  asked.catch(() => {});
  const why = missing();
  if (why) return fail(why);
  const program = progress(text("step-program"), 0, BAR_PROGRAM);
  list = await asked;
  backdrop();
  const [module, script] = await Promise.all([loading.program(list.program, program), import("./pelagic.js")]);
  await script.default({ module_or_path: module });
  sea = script;
  const first = JSON.parse(sea.needs(location.search));
  small = first.quality === "low";
  const provided = provide(first.assets, progress(text("step-assets"), BAR_PROGRAM, BAR_FILES));
  editor = new Editor(sea);
  controls();
  // Shaders are compiled while the rest comes.
  sea.start(element("sea"), location.search, (json) => heard(JSON.parse(json)));
  setInterval(look, LOOK_MS);
  await provided;
  fetching = false;
  element("step").textContent = text("step-world");
  element("bytes").textContent = "";
  bar(BAR_FILES);
}

/** The scene's picture, while it is made. */
function backdrop() {
  const scene = new URLSearchParams(location.search).get("scene") ?? words.sceneNames[0];
  const picture = list.pictures[scene];
  if (!picture) return;
  const image = new Image();
  image.src = picture.file;
  image.addEventListener("load", () => {
    element("backdrop").style.backgroundImage = `url("${image.src}")`;
  });
}

function provide(names, counted) {
  const give = (name, bytes) => sea.putAsset(name, bytes);
  const refuse = (name, why) => {
    sea.refuseAsset(name, why);
    // Of models the program tells.
    if (!name.endsWith(".ms3d")) notice("notice-warning", why);
  };
  return loading.assets(names, list, small, counted, give, refuse);
}

// ---- What the program tells ----

/** Progress that is shown over the water. */
function pill() {
  return new loading.Progress((done, total) => {
    element("pill").hidden = !total || done === total || document.body.classList.contains("loading");
    element("pill").textContent = text("megabytes", megabytes(done), megabytes(total));
  });
}

const hearing = {
  need({ assets }) {
    provide(assets, pill()).catch(crashed).finally(() => (element("pill").hidden = true));
  },
  step({ text: step }) {
    if (!fetching) element("step").textContent = step;
  },
  shown() {
    bar(1);
    document.body.classList.remove("loading");
    element("sea").focus();
    look();
    stir();
  },
  title({ text: title }) {
    document.title = title;
  },
  file: save,
  lost() {
    notice("notice-warning", text("lost"));
  },
  restored() {
    element("notice").hidden = true;
  },
  exhausted() {
    fail(text("fail-lost"));
  },
  mistakes({ mistakes }) {
    editor.wrong(mistakes);
  },
  failed({ text: why }) {
    fail(why);
  },
  refused({ text: why }) {
    notice("notice-refused", why);
  },
  warning({ text: why }) {
    // Several come one by one.
    const before = element("notice").hidden ? "" : `${element("notice-text").textContent}\n`;
    notice("notice-warning", before + why);
  },
};

function heard(message) {
  hearing[message.kind]?.(message);
}

/** Follows what keys and the panel have changed. */
function look() {
  const now = JSON.parse(sea.state());
  // Nothing is shown yet, or no more, or a still picture.
  if (!now?.scene) return;
  const before = state;
  state = now;
  if (now.scene !== before.scene) {
    const picture = list.pictures[now.scene];
    element("choose-name").textContent = words.sceneName(now.scene);
    element("choose-picture").hidden = !picture;
    if (picture) element("choose-picture").src = picture.file;
    for (const button of document.querySelectorAll("#scenes [role=radio]")) button.setAttribute("aria-checked", button.value === now.scene);
    editor.forget();
  }
  if (small && before.quality && now.quality !== before.quality && now.quality !== "low") enlarge().catch(crashed);
  editor.read();
  document.body.classList.toggle("recording", now.recording);
  if (now.rung !== before.rung) {
    element("pill").hidden = !now.rung;
    element("pill").textContent = text("rung", now.rung?.toLocaleString());
  }
  if (now.loading || document.body.classList.contains("loading")) return;
  const link = sea.link();
  if (link !== location.search) history.replaceState(null, "", link + location.hash);
}

/** Shows a sentence, and with it links to files. */
function notice(title, ...content) {
  element("notice-title").textContent = text(title);
  element("notice-text").replaceChildren(...content);
  element("notice").hidden = false;
}

// ---- Controls ----

function controls() {
  fillControls();
  element("choose").addEventListener("click", () => sheet("picker"));
  for (const button of document.querySelectorAll("[data-does]")) {
    button.addEventListener("click", () => does[button.dataset.does]());
  }
  for (const button of document.querySelectorAll("[data-close]")) {
    button.addEventListener("click", () => {
      if (button.dataset.close === "editor") editor.toggle(false);
      else element(button.dataset.close).hidden = true;
      element("sea").focus();
    });
  }
  element("quality").addEventListener("change", ({ target }) => set("quality", target.value));
  element("water").addEventListener("change", ({ target }) => set("water", target.value));
  element("fish").addEventListener("change", ({ target }) => set("fish", target.value));
  element("language").addEventListener("change", ({ target }) => speak(target.value));
  element("own-files").addEventListener("change", ({ target }) => {
    open([...target.files].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
    target.value = "";
  });
  element("editor-download").addEventListener("click", () => {
    download(`${state.scene.replace(/.*\//, "").replace(/\.toml$/, "")}.toml`, editor.value);
  });
  // The list of keys is the page's: some that a window has belong to the browser.
  addEventListener("keydown", helps, { capture: true });
  // A press on the water closes what is open over it.
  element("sea").addEventListener("pointerdown", () => sheet(null));
  // Keys that belong to what the page shows, and not to the sea.
  for (const kind of ["keydown", "keyup"]) {
    for (const id of [...SHEETS, "dock", "notice"]) {
      element(id).addEventListener(kind, (event) => {
        if (event.key === "Escape") sheet(null);
        event.stopPropagation();
      });
    }
  }
  document.querySelector("[data-does=fullscreen]").hidden = !document.fullscreenEnabled;
  followHeadset();
  navigator.xr?.addEventListener?.("devicechange", followHeadset);
  for (const kind of ["pointermove", "pointerdown", "keydown"]) addEventListener(kind, stir, { passive: true, capture: true });
  dropping();
}

/** Offers the headset as long as there is one. */
async function followHeadset() {
  document.querySelector("[data-does=headset]").hidden = !(await headset.isOffered());
}

/** What is written in the controls, in the page's language. */
function fillControls() {
  const option = (value, label) => new Option(label, value);
  element("quality").replaceChildren(...QUALITIES.map((name) => option(name, text(`quality-${name}`))));
  const waters = Object.entries(WATERS).flatMap(([kind, types]) => types.map((type) => option(type, text(kind, type))));
  element("water").replaceChildren(option("", text("water-own")), ...waters);
  element("fish").replaceChildren(option("", text("fish-own")), ...[...sea.rungs()].map((count) => option(count, count.toLocaleString())));
  element("language").replaceChildren(...Object.entries(words.languages).map(([code, name]) => option(code, name)));
  element("language").value = words.language();
  const asked = new URLSearchParams(location.search);
  for (const name of ["quality", "water", "fish"]) choose(element(name), asked.get(name));
  element("climb-help").textContent = text("climb-help", [...sea.rungs()].map((count) => count.toLocaleString()).join(", "));
  element("scenes").replaceChildren(...words.sceneNames.map(sceneButton), ownButton());
  element("keys").replaceChildren(...words.keyList().map(keyRow));
  element("touches").replaceChildren(...words.touchList().map(keyRow));
  element("acts").replaceChildren(...words.actList().map(actButton));
}

/** Chooses a value, its own if the link has one that is not listed. */
function choose(select, value) {
  if (!value) return;
  if (![...select.options].some((option) => option.value === value)) select.add(new Option(value, value));
  select.value = value;
}

function sceneButton(name) {
  const button = document.createElement("button");
  button.value = name;
  button.type = "button";
  button.setAttribute("role", "radio");
  button.setAttribute("aria-checked", name === state.scene);
  const image = new Image();
  image.alt = "";
  image.loading = "lazy";
  image.src = list.pictures[name].file;
  const label = document.createElement("span");
  label.textContent = words.sceneName(name);
  button.append(image, label);
  button.addEventListener("click", () => {
    sheet(null);
    tried(() => sea.scene(name));
  });
  return button;
}

/** The last of the scenes: from the user's own files. */
function ownButton() {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "own";
  button.textContent = text("open-own");
  button.addEventListener("click", () => element("own-files").click());
  return button;
}

function keyRow([key, does]) {
  const row = document.createElement("div");
  const term = document.createElement("dt");
  const caps = key.split(" ").map((part) => {
    const cap = document.createElement("kbd");
    cap.textContent = part;
    return cap;
  });
  term.append(...caps.flatMap((cap) => [cap, " "]));
  const detail = document.createElement("dd");
  detail.textContent = does;
  row.append(term, detail);
  return row;
}

function actButton([act, what]) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "wide";
  button.value = act;
  const label = document.createElement("span");
  label.textContent = what;
  button.append(label);
  button.addEventListener("click", () => (act === "benchmark" ? does.benchmark() : pressed(act)));
  return button;
}

/** Whether the editor and the program's panel have no room beside each other. */
const isNarrow = () => matchMedia("(max-width: 900px)").matches;

const does = {
  settings() {
    if (isNarrow()) editor.toggle(false);
    pressed("settings");
  },
  benchmark: () => (state.recording ? pressed("benchmark") : sheet("measure")),
  record: () => pressed("benchmark"),
  climb() {
    sheet(null);
    element("sea").focus();
    tried(() => sea.climb());
  },
  picture: () => pressed("picture"),
  help: () => sheet("help"),
  share,
  editor() {
    sheet(null);
    if (isNarrow() && state.panel) pressed("settings");
    editor.toggle();
  },
  headset() {
    if (worn) return;
    worn = headset
      .wear(element("sea"), sea)
      .catch((error) => notice("notice-headset", error.message))
      .finally(() => (worn = null));
  },
  fullscreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen().catch((error) => notice("notice-refused", error.message));
  },
};

function helps(event) {
  if (event.key !== "F1") return;
  event.preventDefault();
  event.stopImmediatePropagation();
  sheet("help");
}

function pressed(name) {
  sheet(null);
  element("sea").focus();
  tried(() => sea.act(name));
}

/** Shows one sheet, or closes it, or all. */
function sheet(name) {
  for (const id of SHEETS) element(id).hidden = id !== name || !element(id).hidden;
  element("choose").setAttribute("aria-expanded", !element("picker").hidden);
  document.querySelector("[data-does=help]").setAttribute("aria-expanded", !element("help").hidden);
}

/** Does what the program may refuse with a sentence. */
function tried(what) {
  try {
    return what();
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) crashed(error);
    else notice("notice-refused", sentence(error));
    return undefined;
  }
}

/** Changes what a link can say; nothing means as the scene has it, which is a new beginning. */
function set(name, value) {
  if (value) tried(() => sea.set(name, value));
  else reopen(name, null);
}

/** Opens what is shown anew, but for one key of the link. */
function reopen(name, value) {
  const link = new URLSearchParams(sea.link());
  if (value) link.set(name, value);
  else link.delete(name);
  location.search = link;
}

/** More detail asks for the textures in full; what is shown goes on with the small ones until they are here. */
async function enlarge() {
  small = false;
  try {
    const textures = await loading.larger(list, pill());
    tried(() => sea.renewTextures(textures));
  } catch (error) {
    if (!(error instanceof loading.Failure)) throw error;
    // Another choice of the quality tries again.
    small = true;
    notice("notice-warning", error.message);
  } finally {
    element("pill").hidden = true;
  }
}

function speak(code) {
  set("lang", code);
  words.choose(`?lang=${code}`);
  words.fill();
  fillControls();
  editor.fill();
  element("choose-name").textContent = words.sceneName(state.scene);
}

async function share() {
  const url = new URL(sea.link(), location.href).href;
  const touch = matchMedia("(pointer: coarse)").matches;
  try {
    if (touch && navigator.share) return await navigator.share({ title: document.title, url });
    await navigator.clipboard.writeText(url);
    notice("notice-warning", text("link-copied"));
  } catch (error) {
    // Somebody changed their mind, or the page may not write there: not served securely.
    if (error.name === "AbortError") return undefined;
    const link = document.createElement("a");
    link.href = link.textContent = url;
    notice("notice-warning", text("link-here"), "\n", link);
  }
  return undefined;
}

let quiet = 0;
/** Shows the controls, for a while. */
function stir() {
  document.body.classList.remove("quiet");
  clearTimeout(quiet);
  quiet = setTimeout(() => {
    const open = [...SHEETS, "editor"].some((id) => !element(id).hidden);
    document.body.classList.toggle("quiet", !open && !state.panel);
  }, QUIET_MS);
}

// ---- Files in and out ----

function dropping() {
  const shown = (on) => document.body.classList.toggle("dropping", on);
  addEventListener("dragover", (event) => {
    event.preventDefault();
    shown(true);
  });
  addEventListener("dragleave", (event) => event.relatedTarget ?? shown(false));
  addEventListener("drop", async (event) => {
    event.preventDefault();
    shown(false);
    // Entries are gone once this function waits.
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
    try {
      open((await Promise.all(entries.map(walk))).flat());
    } catch (error) {
      notice("notice-refused", sentence(error));
    }
  });
}

/** All files of an entry, with their paths. */
async function walk(entry) {
  const path = entry.fullPath.replace(/^\//, "");
  const unread = (error) => new loading.Failure(text("drop-unread", path, error.message));
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, (error) => reject(unread(error))));
    return [{ path, file }];
  }
  const reader = entry.createReader();
  const inside = [];
  // A folder is told in parts, an empty one at the end.
  for (;;) {
    const part = await new Promise((resolve, reject) => reader.readEntries(resolve, (error) => reject(unread(error))));
    if (!part.length) break;
    inside.push(...part);
  }
  return (await Promise.all(inside.map(walk))).flat();
}

/** Reads files and shows the scene or the model among them. */
async function open(files) {
  sheet(null);
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (!files.length) return notice("notice-refused", text("drop-nothing"));
  if (bytes > DROP_MB * 1e6) return notice("notice-refused", text("drop-large", Math.ceil(bytes / 1e6), DROP_MB));
  for (const { path, file } of files) {
    try {
      sea.putFile(path, new Uint8Array(await file.arrayBuffer()));
    } catch (error) {
      return notice("notice-refused", text("drop-unread", path, sentence(error)));
    }
  }
  element("notice").hidden = true;
  tried(() => sea.openDropped(files.map(({ path }) => path)));
  return undefined;
}

const address = (bytes) => URL.createObjectURL(new Blob([bytes]));

function link(path, bytes) {
  const link = document.createElement("a");
  link.href = address(bytes);
  link.download = path.replace(/.*\//, "");
  link.textContent = link.download;
  return link;
}

function download(path, bytes) {
  const made = link(path, bytes);
  made.click();
  // The download has its own hold on the bytes by then.
  setTimeout(() => URL.revokeObjectURL(made.href), 60_000);
}

/** One file is downloaded; of several the user takes what they want. */
function save() {
  const files = sea.takeFiles();
  if (files.length === 1) download(...files[0]);
  else if (files.length) notice("files-written", ...files.map(([path, bytes]) => link(path, bytes)));
}

element("reload").addEventListener("click", () => location.reload());
addEventListener("unhandledrejection", ({ reason }) => crashed(reason));
addEventListener("error", ({ error }) => error && crashed(error));
main().catch((error) => (error instanceof loading.Failure ? fail(error.message) : fail(sentence(error))));
