// SPDX-License-Identifier: MIT
// A service that makes thumbnails of uploads: POST /?name=model.glb with the bytes of a model.
//   node upload_service.mjs [PORT]
import { createServer } from "node:http";
import { basename } from "node:path";
import { createPool, ZoetropeError } from "zoetrope";

const STATUS = { 2: 400, 3: 400, 4: 422, 5: 413, 8: 415 }; // else 500
const LARGEST = 32 << 20;
const pool = createPool({ root: null, maxRequest: LARGEST }); // no path of this machine can be named

async function bytesOf(request) {
  const parts = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size <= LARGEST) parts.push(part); // the rest is read all the same, so that the answer arrives
  }
  if (size > LARGEST) throw new ZoetropeError(5, `${size} bytes (expected at most ${LARGEST})`);
  return Buffer.concat(parts);
}

const server = createServer(async (request, response) => {
  const gone = new AbortController();
  response.on("close", () => gone.abort()); // who left wants no picture
  try {
    const name = basename(new URL(request.url, "http://localhost").searchParams.get("name") ?? "") || "model";
    const options = { size: 256, format: "webp", untrusted: true, timeout: 20, signal: gone.signal };
    const picture = await pool.thumbnail({ [name]: await bytesOf(request) }, options);
    response.writeHead(200, { "Content-Type": "image/webp" }).end(picture);
  } catch (error) {
    response.writeHead(STATUS[error.code] ?? 500, { "Content-Type": "text/plain" }).end(`${error.message}\n`);
  }
});

server.listen(Number(process.argv[2] ?? 8080), "127.0.0.1", () => console.log(server.address().port));
process.on("SIGTERM", () => {
  server.close(() => pool.close());
  server.closeAllConnections();
});
