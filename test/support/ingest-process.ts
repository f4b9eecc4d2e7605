import { join } from 'node:path'
import { jitSettings } from './jit-settings'
import { waitFor } from './wait-for'

const endsWithItsParent = join(import.meta.dir, 'ends-with-its-parent.ts')
const main = join(import.meta.dir, '../../ingest/main.ts')

/** An ingest process of its own, on a free port unless told otherwise. */
export function startIngest(env: Record<string, string>) {
  const child = Bun.spawn([process.execPath, '--preload', endsWithItsParent, main], {
    env: {
      ...jitSettings,
      PATH: process.env.PATH ?? '',
      INGEST_PORT: '0',
      RENOWN_RANGES_MIRROR: 'http://127.0.0.1:1',
      ...env,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let said = ''
  const reading = (async () => {
    for await (const chunk of child.stdout) said += new TextDecoder().decode(chunk)
  })()
  return {
    child,
    said: () => said,
    /** Where it takes hits, once it does. */
    async url() {
      return waitFor(() => /"ingest_url":"([^"]+)"/.exec(said)?.[1], {
        what: 'the ingest',
        timeoutMs: 30_000,
      })
    },
    async stop(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL' = 'SIGTERM') {
      child.kill(signal)
      const code = await child.exited
      await reading
      return code
    },
  }
}
