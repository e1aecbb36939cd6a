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

/** Textures that the program has; those that it has small. */
const had = new Set();
const small = new Set();

/**
 * Fetches models, fonts and the textures they name; `give(name, bytes)` takes each texture before its model, `refuse(name, why)`
 * is told what could not be had.
 */
export async function assets(names, list, takesSmall, progress, give, refuse) {
  const known = names.filter((name) => list.files[name]);
  names.filter((name) => !list.files[name]).forEach((name) => refuse(name, text("fail-fetch", name, text("fail-status", 404))));
  // A texture that two models share is fetched once.
  const textures = new Map();
  for (const name of known) {
    for (const texture of list.files[name].textures) {
      const sizes = list.textures[texture];
      if (sizes && !had.has(texture)) textures.set(texture, takesSmall ? sizes.low : sizes.full);
    }
  }
  [...textures.values(), ...known.map((name) => list.files[name])].forEach(({ bytes }) => progress.expect(bytes));
  const queue = limited(AT_ONCE);
  const decoded = new Map();
  for (const [name, packed] of textures) {
    const given = queue(async () => {
      give(name, image(await fetched(packed, progress), packed.file));
      had.add(name);
      if (takesSmall) small.add(name);
    });
    // Its awaiter hears of a failure; others need not.
    given.catch(() => {});
    decoded.set(name, given);
  }
  await Promise.all(
    known.map(async (name) => {
      const packed = list.files[name];
      try {
        const bytes = await queue(async () => unpacked(await fetched(packed, progress), packed.file));
        await Promise.all(packed.textures.map((texture) => decoded.get(texture)));
        // After a model come its levels of detail, which need not be made then.
        const end = packed.model ?? bytes.length;
        if (end < bytes.length) give(name.replace(/\w+$/, "lods"), bytes.subarray(end));
        give(name, bytes.subarray(0, end));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        refuse(name, error.message);
      }
    }),
  );
}

/** Fetches in full the textures that the program has small: name and bytes of each. */
export async function larger(list, progress) {
  const queue = limited(AT_ONCE);
  const textures = [...small].map((name) => [name, list.textures[name].full]);
  textures.forEach(([, { bytes }]) => progress.expect(bytes));
  const fetching = textures.map(([name, packed]) => queue(async () => [name, image(await fetched(packed, progress), packed.file)]));
  const pairs = await Promise.all(fetching);
  pairs.forEach(([name]) => small.delete(name));
  return pairs;
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

/** A WebP, which the program decodes: a 2D canvas would multiply colour by alpha, and WebGL would wait for all that it draws. */
function image(bytes, file) {
  const start = new Uint8Array(bytes, 0, Math.min(bytes.byteLength, 12));
  if (!/^RIFF....WEBP$/s.test(String.fromCharCode(...start))) throw failure(file, text("fail-type"));
  return new Uint8Array(bytes);
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
      // The consumer of the stream reports its end itself.
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
