// The page's own words, in every language it speaks; what the sea says in its canvas comes from the program.

/** Languages by the codes that links and the program use, with what each calls itself. */
export const languages = { en: "English", "zh-CN": "中文" };

const words = {
  "html-lang": ["en", "zh-CN"],
  tagline: ["A living sea, computed as you watch", "一片实时演算的活的海"],
  "open-scenes": ["Choose a scene", "选择场景"],
  scenes: ["Scenes", "场景"],
  quality: ["Quality", "画质"],
  "quality-auto": ["Automatic", "自动"],
  "quality-low": ["Low", "低"],
  "quality-medium": ["Medium", "中"],
  "quality-high": ["High", "高"],
  "quality-ultra": ["Ultra", "极高"],
  water: ["Water", "水质"],
  "water-own": ["Of the scene", "随场景"],
  "water-ocean": ["{0}, open ocean", "{0}，大洋"],
  "water-coast": ["{0}, coast", "{0}，沿岸"],
  fish: ["Animals", "动物数量"],
  "fish-own": ["Of the scene", "随场景"],
  language: ["Language", "语言"],
  "open-own": ["Your own…", "打开自己的……"],
  "open-own-help": ["Your own scene (.toml) or model (.ms3d, .glb, .gltf, .mdl) is read here in your browser. Nothing is uploaded.", "自己的场景（.toml）或模型（.ms3d、.glb、.gltf、.mdl）只在浏览器中读取，不会上传。"],
  settings: ["Settings", "设置"],
  editor: ["Scene as text", "场景文本"],
  benchmark: ["Benchmark", "基准测试"],
  record: ["Record what is shown", "录制当前画面"],
  "record-help": ["300 frames of this view, 20 seconds at most. The benchmark's button, or B, stops it.", "录制当前画面 300 帧，最多 20 秒。按基准测试按钮或 B 键停止。"],
  climb: ["Climb a ladder of fish", "逐级增加鱼数"],
  "climb-help": ["The same view with {0} fish, the numbers of the WebGL Aquarium. The benchmark's button, or B, stops it.", "同一画面，依次为 {0} 条鱼，与 WebGL Aquarium 的数目相同。按基准测试按钮或 B 键停止。"],
  "measure-help": ["Both end with a result (JSON), its frames (CSV) and a report, to be kept or not. Nothing is sent anywhere.", "结束后可保存结果（JSON）、逐帧数据（CSV）和报告。不会上传任何内容。"],
  rung: ["Measuring with {0} fish", "正在测量 {0} 条鱼"],
  picture: ["Picture", "截图"],
  share: ["Share", "分享"],
  headset: ["Into the water with a headset", "戴上头显入水"],
  fullscreen: ["Full screen", "全屏"],
  help: ["Keys and fingers", "按键与手势"],
  close: ["Close", "关闭"],
  reload: ["Try again", "重试"],
  "link-copied": ["Link copied: it opens this very sea.", "链接已复制，打开即是这片海。"],
  "link-here": ["The link to this sea:", "这片海的链接："],
  "drop-here": ["Drop a scene, a model or a folder", "拖入场景、模型或文件夹"],
  "editor-state-same": ["As shown", "与画面一致"],
  "editor-state-typing": ["…", "……"],
  "editor-state-wrong": ["The last good version is shown", "画面仍是上一个正确的版本"],
  "editor-place": ["Line {0}, column {1}", "第 {0} 行，第 {1} 列"],
  "editor-help": ["What you type is shown as soon as it is right.", "内容一旦正确，画面立即更新。"],
  download: ["Download", "下载"],
  "files-written": ["Written by the program. Keep what you want:", "程序写出了以下文件，可保存："],

  "step-program": ["Fetching the program", "正在下载程序"],
  "step-assets": ["Fetching what lives there", "正在下载海中万物"],
  "step-world": ["Filling the sea", "正在注水"],
  megabytes: ["{0} of {1} MB", "{0} / {1} MB"],

  "fail-title": ["The sea cannot be shown", "无法显示这片海"],
  "fail-webgl2": [
    "This browser offers no WebGL 2, which the picture is drawn with. It may be switched off in the browser's settings, or the graphics driver may be too old.",
    "这个浏览器不提供 WebGL 2，而画面要靠它绘制。它可能在浏览器设置中被关闭，也可能是显卡驱动太旧。",
  ],
  "fail-float": [
    "The graphics here cannot draw into floating-point pictures (EXT_color_buffer_float), which the light in the water is computed with. Nearly every computer and most phones of the last years can.",
    "这里的图形接口不能绘制浮点图像（EXT_color_buffer_float），而水中的光要靠它计算。近年的电脑和多数手机都支持。",
  ],
  "fail-old": [
    "This browser is too old: it cannot unpack what was fetched (DecompressionStream). Any browser from 2023 on can.",
    "浏览器版本太旧，无法解压下载的内容（DecompressionStream）。2023 年以后的浏览器都可以。",
  ],
  "fail-fetch": ["{0} could not be fetched: {1}.", "无法下载 {0}：{1}。"],
  "fail-network": ["there was no answer", "没有响应"],
  "fail-status": ["the server answered {0}", "服务器返回 {0}"],
  "fail-cut": ["it was cut off after {0} of {1} bytes", "传输中断，只收到 {0} / {1} 字节"],
  "fail-type": ["what came is something else than what was asked for", "收到的内容与所请求的不符"],
  "fail-memory": [
    "The browser gave the sea no more memory. Close other pages, or open it with fewer animals and low quality.",
    "浏览器没有更多内存可用。请关闭其他页面，或以较少的动物和低画质打开。",
  ],
  "fail-crash": ["The program stopped on a mistake of its own: {0}", "程序因自身的错误而停止：{0}"],
  lost: [
    "The system took the graphics away for a moment. The sea comes back by itself.",
    "系统暂时收回了图形资源，画面会自动恢复。",
  ],
  "fail-lost": [
    "The system has taken the graphics away again and again. Try again; if it happens once more, choose lower quality or fewer animals.",
    "系统一再收回图形资源。请重试；如果再次发生，请降低画质或减少动物数量。",
  ],
  "drop-nothing": ["There was no file in what was dropped.", "拖入的内容里没有文件。"],
  "drop-large": ["That is {0} MB; the page reads up to {1} MB at once.", "共 {0} MB；页面一次最多读取 {1} MB。"],
  "drop-unread": ["{0} could not be read: {1}", "无法读取 {0}：{1}"],
  "notice-warning": ["Please note", "请注意"],
  "notice-refused": ["That cannot be shown", "无法显示"],
  "notice-headset": ["The headset cannot be put on", "无法戴上头显"],
};

/** The scenes' names. */
const scenes = {
  reef: ["The reef", "珊瑚礁"],
  open_blue: ["Open blue", "深蓝外海"],
  lagoon: ["Lagoon", "潟湖"],
  kelp: ["Kelp forest", "海藻林"],
  wreck: ["The wreck", "沉船"],
  deep: ["The deep", "深海"],
  night_reef: ["Reef by night", "夜礁"],
  harbour: ["Harbour", "港湾"],
  storm: ["Storm", "风暴"],
  calibration: ["Calibration", "校准"],
};

/** The keys, as the program understands them: what is pressed, what it does, and what the program calls that if it needs no key. */
const keys = [
  [["mouse", "鼠标"], ["look round: hold the left button and drag", "环顾四周：按住左键拖动"]],
  [["W A S D", "W A S D"], ["swim", "游动"]],
  [["E Q", "E Q"], ["up, down", "上浮、下潜"]],
  [["Shift", "Shift"], ["faster", "加速"]],
  [["wheel", "滚轮"], ["speed, or how far off the camera stays", "游动速度，或相机的远近"]],
  [["C", "C"], ["the next camera", "切换相机"], "camera"],
  [["N", "N"], ["the next species", "下一个物种"], "next"],
  [["Space", "空格"], ["stop and go on", "暂停与继续"], "pause"],
  [["R", "R"], ["back to the beginning", "回到开头"], "reset"],
  [["1–9", "1–9"], ["scenes", "场景"]],
  [["+", "+"], ["more fish", "增加鱼"], "more"],
  [["−", "−"], ["fewer fish", "减少鱼"], "fewer"],
  [["right\u00a0click", "右键单击"], ["frighten the fish there", "惊吓该处的鱼"]],
  [["F", "F"], ["drop food", "投放食物"], "food"],
  [["P", "P"], ["release a predator", "放出一只捕食者"], "predator"],
  [["L", "L"], ["a diver's torch", "潜水手电"], "torch"],
  [["M", "M"], ["the mind of the animal ahead", "眼前那只动物的心思"], "mind"],
  [["O", "O"], ["photo mode", "拍照模式"], "photo"],
  [["Tab", "Tab"], ["settings: everything in the scene file", "设置：场景文件里的一切"]],
  [["F3", "F3"], ["what frames take", "帧时间统计"], "statistics"],
  [["F1", "F1"], ["this list", "本列表"]],
  [["B", "B"], ["record a benchmark", "录制基准测试"], "benchmark"],
];

/** The same for fingers; what has no gesture has a button. */
const touches = [
  [["one\u00a0finger", "单指"], ["look round", "环顾四周"]],
  [["two\u00a0fingers", "双指"], ["swim: draw the water past you, spread to go ahead, pinch to go back", "游动：拖动即移动，张开向前，捏合向后"]],
  [["two\u00a0taps", "双击"], ["frighten the fish there", "惊吓该处的鱼"]],
];

let column = 0;

/** Takes the language of the link, or else the browser's. */
export function choose(search) {
  const wished = new URLSearchParams(search).get("lang") ?? navigator.language ?? "en";
  column = wished.toLowerCase().startsWith("zh") ? 1 : 0;
  document.documentElement.lang = words["html-lang"][column];
}

/** The code of the language that is spoken. */
export const language = () => Object.keys(languages)[column];

/** A text, its places filled. */
export function text(name, ...values) {
  return words[name][column].replace(/\{(\d)\}/g, (_, index) => values[index]);
}

/** What a scene is called; one of the user's own is called as its file. */
export const sceneName = (name) => scenes[name]?.[column] ?? name;

/** The names of the built-in scenes that are pleasant to look at, in the order of the number keys. */
export const sceneNames = Object.keys(scenes).filter((name) => name !== "calibration");

/** The list of keys. */
export const keyList = () => spoken(keys);

/** The list of what fingers do. */
export const touchList = () => spoken(touches);

/** What keys do that needs no key, each with the program's name for it. */
export const actList = () => keys.filter(([, , act]) => act).map(([, does, act]) => [act, does[column]]);

const spoken = (rows) => rows.map(([key, does]) => [key[column], does[column]]);

/** Fills all texts of the page: `data-text` says which, `data-label` which for those who see no icon. */
export function fill() {
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = text(element.dataset.text);
  for (const element of document.querySelectorAll("[data-label]")) {
    const label = text(element.dataset.label);
    element.setAttribute("aria-label", label);
    element.title = label;
  }
}
