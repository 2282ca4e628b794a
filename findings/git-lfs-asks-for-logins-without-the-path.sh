#!/bin/sh
# git 2.39.5 with git-lfs 3.6.1: a login for the addresses below a path, `credential.<address>.helper`.
#
# One would guess: git-lfs finds the login that git finds, since it asks `git credential` for it.
# Seen: git compares the path of the address with the one in the configuration, and drops it afterwards.
# git-lfs drops the path before it asks, so the helper of the path is not called: fetching works, and the
# large files of the same repository have no login. With `credential.<address>.useHttpPath` both find it.
set -eu

folder=$(mktemp -d)
server=
trap 'test -z "$server" || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
export HOME="$folder" GIT_CONFIG_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0
export GOFLAGS=-modcacherw GOPATH="$folder/go" GOBIN="$folder/bin"
go install github.com/git-lfs/git-lfs/v3@v3.6.1 2>/dev/null
PATH="$folder/bin:$PATH"

# Wants a login, and has nothing.
cat >server.py <<'EOF'
from http.server import BaseHTTPRequestHandler, HTTPServer

class Closed(BaseHTTPRequestHandler):
    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(404 if self.headers.get("Authorization") else 401)
        self.send_header("WWW-Authenticate", 'Basic realm="team"')
        self.end_headers()
    do_POST = do_GET
    def log_message(self, *_): pass

server = HTTPServer(("127.0.0.1", 0), Closed)
print(server.server_port, flush=True)
server.serve_forever()
EOF
python3 server.py >port &
server=$!
for _ in $(seq 50); do test -s port && break; sleep 0.1; done
url=http://127.0.0.1:$(cat port)/team

printf '#!/bin/sh\necho called >>"%s"\necho username=me\necho password=secret\n' "$folder/calls" >helper
chmod +x helper
git init --quiet work
cd work
git remote add origin "$url/app.git"
git config "credential.$url.helper" "$folder/helper"
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 3\n' 1 >large
printf 'large filter=lfs\n' >.gitattributes
git add .
git -c user.name=me -c user.email=me@example.org commit --quiet -m Large

calls() { : >../calls; "$@" >/dev/null 2>&1 || true; grep -c . ../calls || true; }
plain=$(calls git ls-remote origin) lfs=$(calls git lfs fetch origin HEAD)
git config "credential.$url.useHttpPath" true
whole=$(calls git lfs fetch origin HEAD)
git version && git lfs version
echo "git calls the helper $plain times, git-lfs $lfs times, and $whole times with useHttpPath"
test "$plain" -gt 0 && test "$lfs" = 0 && test "$whole" -gt 0
