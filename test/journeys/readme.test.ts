import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { nextSteps } from '../../core/cli/start/next-steps'
import { clfTime } from '../support/clf-time'
import { translated } from '../support/jit-settings'
import { type NeedName, testWith } from '../support/needs'
import { jsonLogFormat } from '../support/nginx'
import { type RunningProduct, startProduct } from '../support/product'
import { serveFolder } from '../support/static-server'

const root = join(import.meta.dir, '../..')
const read = (page: string) => Bun.file(join(root, page)).text()
const { scripts } = await Bun.file(join(root, 'package.json')).json()
const commands = await Promise.all(
  ['README.md', 'docs/operators/logs.md'].map(async (page) =>
    commandsIn(await read(page)).map((each) => [page, each] as const),
  ),
)

const neededBy = (command: string): NeedName[] =>
  (['curl', 'zstdcat'] as const).filter((name) => command.startsWith(name))

describe('every command of the README and of the page on logs does what it says', () => {
  let folder: string
  let product: RunningProduct
  const mirror = serveFolder(join(import.meta.dir, '../fixtures/ranges'))

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'renown-readme-'))
    product = await startProduct({ env: { RENOWN_RANGES_MIRROR: mirror.url } })
    const log = ['/a', '/b', '/c'].map(logLine)
    writeFileSync(join(folder, 'access.log'), log[0] as string)
    writeFileSync(join(folder, 'access.log.2.gz'), Bun.gzipSync(log[1] as string))
    writeFileSync(join(folder, 'archive.zst'), Bun.zstdCompressSync(log[2] as string))
  }, 90_000)
  afterAll(async () => {
    await product?.[Symbol.asyncDispose]()
    await mirror.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  for (const [page, command] of commands.flat())
    testWith(...neededBy(command))(
      `${page}: ${command}`,
      async () => {
        const script = /^(?:npx --yes bun@1\.4\.5|bun) (?:run )?(start|check|bench|long)(?: --demo)?$/.exec(
          command,
        )?.[1]
        if (script) return expect(scripts).toHaveProperty(script)
        if (command.includes('bunx renown-conformance ')) {
          const { bin } = await Bun.file(join(root, 'conformance/package.json')).json()
          return expect(bin).toHaveProperty('renown-conformance')
        }
        if (command.startsWith('claude mcp add ')) {
          // The client is not here: the address that it is given must be one of MCP, which asks for a credential.
          const address = command.split(' ').at(-1)?.replace('http://localhost:3000', product.facts.api_url)
          const { status, headers } = await fetch(address ?? '', { method: 'POST', body: '{}' })
          return expect([status, headers.get('www-authenticate')]).toEqual([
            401,
            expect.stringContaining('resource_metadata'),
          ])
        }
        expect(command).toMatch(/^(curl|bun renown|zstdcat|tail) /)
        const { facts, dataDir } = product
        const text = command
          .replaceAll('http://localhost:3000', facts.api_url)
          .replaceAll('http://localhost:3001', facts.ingest_url)
          .replaceAll('<forwarder token>', facts.forwarder_token)
          .replaceAll('<agent key>', facts.agent_key)
          .replaceAll('<site>', facts.site_id)
          .replaceAll('2026-11-20T12:00:00Z', new Date().toISOString())
          .replace(/^curl /, 'curl -sS --fail-with-body --max-time 20 ')
          .replace('bun renown', `'${process.execPath}' '${join(root, 'core/cli/main.ts')}'`)
        const run = Bun.spawn(['sh', '-c', text], {
          cwd: folder,
          env: { PATH: process.env.PATH, HOME: folder, RENOWN_DATA_DIR: dataDir, ...translated },
          stdout: 'pipe',
          stderr: 'pipe',
        })
        const [stdout, stderr, code] = await Promise.all([run.stdout.text(), run.stderr.text(), run.exited])
        expect(`${code} ${stderr}`).toStartWith('0 ')
        if (text.includes('/v1/')) expect(JSON.parse(stdout)).toMatchObject({ accepted: 1, rejected: 0 })
      },
      90_000,
    )
})

test('what the README shows of the first start is what it says', async () => {
  const block = /^ {2}Renown [\s\S]*?(?=^```)/m.exec(await read('README.md'))?.[0] ?? 'nothing'
  const key = /rnw_key_\w+/.exec(block)?.[0] ?? ''
  const site_key = /rnw_site_\w+/.exec(block)?.[0] ?? ''
  const owner_link = /http\S+rnw_link_\S+/.exec(block)?.[0] ?? ''
  const made = { agency_id: 'a', workspace_id: 'w', location_id: 'l', site_id: 's', forwarder_token: 't' }
  const said = nextSteps(
    {
      first: { isFirst: true, ...made, agent_key: `${key}…`, owner_link, site_key: `${site_key}…` },
      apiUrl: 'http://localhost:3000',
      ingestUrl: 'http://localhost:3001',
      dataDir: resolve('data'),
      documents: 'sqlite',
      columns: 'chdb',
    },
    { colours: false, secrets: true, now: new Date(), byNpx: true },
  )
  // The page shows a folder of its own.
  const shown = block.replace('  …\n', '').replace('/srv/renown/data', resolve('data'))
  expect(said.trim()).toStartWith(shown.trim())
})

test('the log format that nginx is told in the tests is the one the page recommends', async () => {
  const words = (text: string) => text.split(/\s+/).join(' ')
  expect(words(await read('docs/operators/log-formats.md'))).toContain(words(jsonLogFormat))
})

/** The commands of a page's shell blocks, continued lines joined and remarks left out. */
function commandsIn(page: string): string[] {
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap((block) =>
    String(block[1])
      .replace(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.replace(/\s+#\s.*$/, '').trim())
      .filter(Boolean),
  )
}

const logLine = (path: string) =>
  `20.171.206.17 - - [${clfTime(new Date())}] "GET ${path} HTTP/1.1" 200 2 "-" "Mozilla/5.0 (compatible; GPTBot/1.2)"\n`
