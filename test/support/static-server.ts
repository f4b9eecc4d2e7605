import { existsSync } from 'node:fs'
import { join, normalize } from 'node:path'

/** Serves the files of a folder on loopback, as a mirror of the operators' address lists does. */
export function serveFolder(folder: string): { readonly url: string; stop(): Promise<void> } {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const path = join(folder, normalize(new URL(request.url).pathname))
      return existsSync(path) ? new Response(Bun.file(path)) : new Response('no such file', { status: 404 })
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}
