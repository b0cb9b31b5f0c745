# SPDX-License-Identifier: MIT
"""Pictures of uploads: a model as the body of a POST is answered by a WebP of 256 x 256, or by the reason.

python3 upload_service.py [PORT]; then: curl --data-binary @model.glb -o picture.webp localhost:8080
"""
import http.server, sys

import zoetrope

STATUS = {3: 400, 4: 422, 5: 413, 8: 415}  # by exit codes; else 500
MAX_BYTES = 64 << 20


class Uploads(http.server.BaseHTTPRequestHandler):
    timeout = 30  # for a client that stops sending

    def do_POST(self):
        size = self.headers.get("Content-Length", "")
        if not size.isdigit() or int(size) > MAX_BYTES:
            return self.answer(413 if size else 411, "text/plain", b"expected a length of at most %d bytes" % MAX_BYTES)
        try:
            picture = self.server.pool.thumbnail(self.rfile.read(int(size)), size=256, format="webp", untrusted=True,
                                                 threads=1, timeout=20)
            self.answer(200, "image/webp", picture)
        except zoetrope.ZoetropeError as error:
            self.answer(STATUS.get(error.code, 500), "text/plain", error.message.encode())

    def answer(self, status, kind, body):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    service = http.server.ThreadingHTTPServer(("localhost", int((sys.argv + ["8080"])[1])), Uploads)
    with zoetrope.Pool(root=None, queue=200) as service.pool:  # no file of this machine is ever read
        print(f"port {service.server_port}", flush=True)
        service.serve_forever()
