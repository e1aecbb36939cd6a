// Fetches what is shown, unpacks it, and counts the bytes. What is wrong with a file is told by name.

import { text } from "./texts.js";

/** The folder of index.html. */
const site = new URL("..", import.meta.url);

/** How many files are fetched at once: what browsers open to one server. */
const AT_ONCE = 6;

/** Something that went wrong outside the page, as a sentence. */
export class Failure extends Error {}

const failure = (file, why) => new Failure(text("fail-fetch", file, why));

/** Counts bytes of what is being fetched. */
export class Progress {
  #done = 0;
  #total = 0;
  #changed;

  constructor(changed) {
    this.#changed = changed;
  }

  expect(bytes) {
    this.#total += bytes;
    this.#changed(this.#done, this.#total);
  }

  add(bytes) {
    this.#done += bytes;
    this.#changed(this.#done, this.#total);
  }
}

/** The list of what there is. */
export async function manifest() {
  const url = new URL("manifest.json", import.meta.url);
  const response = await answer("manifest.json", url, {});
  try {
    return await response.json();
  } catch {
    throw failure("manifest.json", text("fail-type"));
  }
}

/** The program, compiled while it comes. */
export async function program({ file, bytes }, progress) {
  if (!("DecompressionStream" in globalThis)) throw new Failure(text("fail-old"));
  progress.expect(bytes);
  return streamed(file, bytes, progress, (stream) => {
    const unpacked = stream.pipeThrough(new DecompressionStream("gzip"));
    // The type is the page's own word: servers often do not know it.
    const wasm = new Response(unpacked, { headers: { "content-type": "application/wasm" } });
    return WebAssembly.compileStreaming(wasm);
  });
}

/** Textures that the program has. */
const had = new Set();

/**
 * Fetches models, fonts and the textures they name; `give(name, bytes)` takes each texture before its model, `refuse(name, why)`
 * is told what could not be had.
 */
export async function assets(names, list, small, progress, give, refuse) {
  const decoder = new Decoder();
  const known = names.filter((name) => list.files[name]);
  names.filter((name) => !list.files[name]).forEach((name) => refuse(name, text("fail-fetch", name, text("fail-status", 404))));
  // A texture that two models share is fetched once.
  const textures = new Map();
  for (const name of known) {
    for (const texture of list.files[name].textures) {
      const sizes = list.textures[texture];
      if (sizes && !had.has(texture)) textures.set(texture, small ? sizes.low : sizes.full);
    }
  }
  [...textures.values(), ...known.map((name) => list.files[name])].forEach(({ bytes }) => progress.expect(bytes));
  const queue = limited(AT_ONCE);
  const decoded = new Map();
  for (const [name, packed] of textures) {
    const given = queue(async () => {
      give(name, await decoder.bitmap(await fetched(packed, progress), packed.file));
      had.add(name);
    });
    // Whoever waits for it hears of a failure; others need not.
    given.catch(() => {});
    decoded.set(name, given);
  }
  await Promise.all(
    known.map(async (name) => {
      const packed = list.files[name];
      try {
        const bytes = await queue(async () => unpacked(await fetched(packed, progress), packed.file));
        await Promise.all(packed.textures.map((texture) => decoded.get(texture)));
        give(name, bytes);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        refuse(name, error.message);
      }
    }),
  );
  decoder.end();
}

/** The bytes of a file, all of them. */
function fetched({ file, bytes }, progress) {
  return streamed(file, bytes, progress, (stream) => new Response(stream).arrayBuffer());
}

async function unpacked(bytes, file) {
  try {
    const stream = new Response(bytes).body.pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw failure(file, text("fail-type"));
  }
}

/** Hands a file's stream to `take`; asks for it once more, past the browser's store of files, before it gives up. */
async function streamed(file, bytes, progress, take) {
  for (const options of [{}, { cache: "reload" }]) {
    const counted = { bytes: 0, refused: null };
    try {
      const response = await answer(file, new URL(file, site), options);
      return await take(response.body.pipeThrough(counter(file, bytes, progress, counted)));
    } catch (error) {
      progress.add(-counted.bytes);
      // Whoever takes the stream tells of its end in words of their own.
      if (options.cache) throw counted.refused ?? (error instanceof Failure ? error : failure(file, error.message));
    }
  }
  return undefined;
}

async function answer(file, url, options) {
  let response;
  try {
    response = await fetch(url, options);
  } catch {
    throw failure(file, text("fail-network"));
  }
  if (!response.ok) throw failure(file, text("fail-status", response.status));
  return response;
}

/** Lets bytes through and refuses a file that is shorter or longer than it should be. */
function counter(file, expected, progress, counted) {
  const refuse = (why) => {
    counted.refused = failure(file, why);
    throw counted.refused;
  };
  return new TransformStream({
    transform(chunk, controller) {
      counted.bytes += chunk.byteLength;
      progress.add(chunk.byteLength);
      if (counted.bytes > expected) refuse(text("fail-type"));
      controller.enqueue(chunk);
    },
    flush() {
      if (counted.bytes < expected) refuse(text("fail-cut", counted.bytes, expected));
    },
  });
}

/** A function that starts no more than `most` of what it is given at once. */
function limited(most) {
  let running = 0;
  const waiting = [];
  const done = () => {
    running -= 1;
    waiting.shift()?.();
  };
  return async (start) => {
    if (running >= most) await new Promise((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await start();
    } finally {
      done();
    }
  };
}

/**
 * Decodes images by the browser, to the very bytes in the file: a 2D canvas would multiply colour by alpha, a texture of WebGL
 * does not.
 */
class Decoder {
  #gl = document.createElement("canvas").getContext("webgl2");

  constructor() {
    const gl = this.#gl;
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  }

  /** An image file as an uncompressed bitmap, which the program reads without a decoder. */
  async bitmap(bytes, file) {
    let image;
    try {
      const exact = { premultiplyAlpha: "none", colorSpaceConversion: "none" };
      image = await createImageBitmap(new Blob([bytes], { type: "image/webp" }), exact);
    } catch {
      throw failure(file, text("fail-type"));
    }
    const { width, height } = image;
    const gl = this.#gl;
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
    image.close();
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, gl.getParameter(gl.TEXTURE_BINDING_2D), 0);
    const result = bitmap(width, height);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, result.subarray(BITMAP_HEADER));
    return result;
  }

  end() {
    this.#gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}

/** Bytes of BITMAPFILEHEADER and BITMAPV4HEADER. */
const BITMAP_HEADER = 14 + 108;

/** An empty BMP of 32 bits, red first, rows from the top. */
function bitmap(width, height) {
  const bytes = new Uint8Array(BITMAP_HEADER + 4 * width * height);
  const view = new DataView(bytes.buffer);
  const word = (at, value) => view.setInt32(at, value, true);
  view.setUint16(0, 0x4d42, true);
  word(2, bytes.length);
  word(10, BITMAP_HEADER);
  word(14, 108);
  word(18, width);
  word(22, -height);
  view.setUint16(26, 1, true);
  view.setUint16(28, 32, true);
  word(30, 3);
  word(34, 4 * width * height);
  [0xff, 0xff00, 0xff0000, 0xff000000].forEach((mask, index) => word(54 + 4 * index, mask));
  word(70, 0x73524742);
  return bytes;
}
