import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeWith } from '../support/needs'
import { soonMs, waitFor } from '../support/wait-for'

/** A machine with Node and npm only: no Bun on the path, the product cloned, everything else installed by the command. */
const repository = join(import.meta.dir, '../..')
const root = mkdtempSync(join(tmpdir(), 'renown-npx-'))
const groups: number[] = []
afterAll(() => {
  for (const group of groups) endGroup(group)
  rmSync(root, { recursive: true, force: true })
})

describeWith(
  'npx',
  'git',
  'a git checkout',
)('npx --yes bun@1.4.5 start in a fresh clone', () => {
  const clone = join(root, 'clone')

  test.each([
    ['TERM to npx alone', (npx: number) => process.kill(npx, 'SIGTERM')],
    ['Ctrl-C, which reaches the whole group', (npx: number) => process.kill(-npx, 'SIGINT')],
  ])(
    '%s flushes and stops the product within 5 s',
    async (_, stop) => {
      if (!existsSync(clone)) Bun.spawnSync(['git', 'clone', '--quiet', repository, clone])
      const { npx, err, facts } = await start(clone)
      const pid = JSON.parse(readFileSync(join(clone, 'data', 'renown.pid'), 'utf8')).pid as number
      expect((await fetch(`${facts.api_url}/healthz`)).status).toBe(200)
      const began = performance.now()
      stop(npx.pid)
      await waitFor(() => !isAlive(pid), { what: 'the product to stop' })
      expect(performance.now() - began).toBeLessThan(soonMs)
      await waitFor(() => err().includes('"message":"stopped"'), { what: 'its last words' })
      expect(existsSync(join(clone, 'data', 'renown.sock'))).toBe(false)
    },
    180_000,
  )
})

async function start(cwd: string) {
  let out = ''
  let err = ''
  const npx = Bun.spawn(['npx', '--yes', 'bun@1.4.5', 'start', '--json'], {
    cwd,
    env: {
      ...withoutBun(),
      PORT: '0',
      INGEST_PORT: '0',
      RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9',
    },
    stdout: 'pipe',
    stderr: 'pipe',
    detached: true,
  })
  groups.push(npx.pid)
  void (async () => {
    for await (const piece of npx.stdout) out += Buffer.from(piece).toString()
  })()
  void (async () => {
    for await (const piece of npx.stderr) err += Buffer.from(piece).toString()
  })()
  await waitFor(
    () => {
      if (npx.exitCode !== null) throw new Error(`npx ended with ${npx.exitCode}:\n${out}\n${err}`)
      return err.includes('"message":"ready"') && /"ingest_url".*\n/.test(out)
    },
    { what: 'the product to start under npx', timeoutMs: 150_000 },
  )
  const line = out.split('\n').find((text) => text.includes('"ingest_url"')) ?? ''
  return { npx, err: () => err, facts: JSON.parse(line) as { api_url: string } }
}

/** The environment a person has who never installed Bun. */
function withoutBun(): Record<string, string> {
  const { PATH = '', HOME = '', npm_config_registry, npm_config_cache } = process.env
  const path = PATH.split(':').filter(
    (folder) => !existsSync(join(folder, 'bun')) || existsSync(join(folder, 'npx')),
  )
  return {
    PATH: path.join(':'),
    HOME,
    ...(npm_config_registry ? { npm_config_registry } : {}),
    ...(npm_config_cache ? { npm_config_cache } : {}),
  }
}

/** Whatever a failed test has left running. */
function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
