import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { translated } from '../support/jit-settings'
import { describeWith } from '../support/needs'
import { waitFor } from '../support/wait-for'

const repository = join(import.meta.dir, '../..')
const root = mkdtempSync(join(tmpdir(), 'renown-pasted-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const env = {
  PATH: process.env.PATH ?? '',
  HOME: root,
  ...translated,
  TERM: 'xterm',
  PORT: '0',
  INGEST_PORT: '0',
  RENOWN_DATA_DIR: join(root, 'data'),
  RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9',
}

/** A person at a terminal. */
function atTerminal(...command: string[]) {
  let screen = ''
  const child = Bun.spawn(command, {
    cwd: repository,
    env,
    terminal: {
      cols: 200,
      rows: 50,
      data(_, bytes) {
        screen += Buffer.from(bytes).toString()
      },
    },
  })
  return { child, screen: () => Bun.stripANSI(screen).replaceAll('\r', '') }
}

describeWith('curl', 'sh')('what the first run prints to a person', () => {
  test('works as it stands when it is pasted, and is printed once', async () => {
    const first = atTerminal(process.execPath, 'core/main.ts')
    await waitFor(() => first.screen().includes('ready'), { what: 'the first run', timeoutMs: 30_000 })
    const [send = '', readBack = ''] = curls(first.screen())

    expect(await paste(send)).toMatchObject({ accepted: 1, rejected: 0 })
    const rows = await waitFor(async () => ((await paste(readBack)) as unknown[])[0], {
      what: 'the daily row',
      timeoutMs: 10_000,
    })
    expect(rows).toMatchObject({ crawler_hits: 1, by_agent: { GPTBot: { hits: 1 } } })

    const beacon = /<script defer src="([^"]+)"><\/script>/.exec(first.screen())?.[1] ?? ''
    expect((await fetch(beacon)).headers.get('content-type')).toContain('javascript')

    const created = atTerminal(process.execPath, 'core/cli/main.ts', 'site', 'create', 'example.com')
    expect(await created.child.exited).toBe(0)
    expect(created.screen()).toMatch(/forwarder_token +rnw_fwd_\w{46}/)

    first.child.kill('SIGINT')
    expect(await first.child.exited).toBe(0)
    const second = atTerminal(process.execPath, 'core/main.ts')
    await waitFor(() => second.screen().includes('ready'), { what: 'the second run', timeoutMs: 30_000 })
    expect(second.screen()).toContain('is running')
    expect(second.screen()).not.toMatch(/rnw_(key|fwd)_/)
    second.child.kill('SIGINT')
    expect(await second.child.exited).toBe(0)
  }, 90_000)
})

/** The commands on the screen, as they would be selected and pasted. */
function curls(screen: string): string[] {
  return [...screen.matchAll(/^ +curl (?:.*\\\n)*.*$/gm)].map(([command]) => command)
}

async function paste(command: string): Promise<unknown> {
  const { stdout, exitCode } = Bun.spawnSync(['sh', '-c', command.replace('curl', 'curl -s')])
  expect(exitCode).toBe(0)
  return JSON.parse(stdout.toString())
}
