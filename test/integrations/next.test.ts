import { afterAll, describe } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyIntegration } from '../support/app-road'
import { appTests, type StartApp } from '../support/app-suite'
import { packagesFolder, runProgram } from '../support/clients'
import { testWith } from '../support/needs'
import { findProgram, freePort } from '../support/programs'

const files: Readonly<Record<string, string>> = {
  'package.json': '{"type": "module"}',
  // The packages are above the app.
  'next.config.js': "export default { turbopack: { root: new URL('..', import.meta.url).pathname } }",
  'app/layout.js': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>',
  'app/page/[n]/page.js': `export const dynamic = 'force-dynamic'
export default () => <p>page</p>`,
}

/** Builds an app with the file of the set-up page. It is beside its packages, where the builder looks for them. */
async function build(): Promise<string> {
  const folder = mkdtempSync(join(packagesFolder('next') ?? '', 'app-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  copyIntegration('edge/middleware.js', join(folder, 'proxy.js'), {
    "'https://ingest.example.com/v1/hits'": 'process.env.RENOWN_INGEST_URL + "/v1/hits"',
    'timeout(3_000)': 'timeout(1_000)',
  })
  const { code, stdout, stderr } = await runProgram([...next, 'build'], {
    cwd: folder,
    env: { NEXT_TELEMETRY_DISABLED: '1', HOME: '/nonexistent' },
    timeoutMs: 240_000,
  })
  if (code !== 0) throw new Error(`next build: ${stdout} ${stderr}`)
  return folder
}

const next = [findProgram('node') ?? 'node', '../node_modules/next/dist/bin/next']
let built: Promise<string> | undefined

afterAll(async () => {
  if (built) rmSync(await built, { recursive: true, force: true })
})

const start: StartApp = async (road) => {
  built ??= build()
  const port = await freePort()
  const command = `cd '${await built}' && echo listening ${port} && exec ${next.join(' ')} start -H 127.0.0.1 -p ${port}`
  const app = await road.start(['sh', '-c', command], { NEXT_TELEMETRY_DISABLED: '1' })
  await app.ready()
  return app
}

describe('an app with Next.js', () => {
  for (const [title, work] of Object.entries(appTests(start, { seesStatus: false, givesUp: true })))
    testWith('a long run', 'node', 'sh', 'Next.js')(title, work, 300_000)
})
