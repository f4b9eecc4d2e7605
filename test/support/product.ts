import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jitSettings } from './jit-settings'
import { waitFor } from './wait-for'

const root = join(import.meta.dir, '../..')
const endsWithItsParent = join(import.meta.dir, 'ends-with-its-parent.ts')

/** What the product says of itself with `--json`; the secrets only on the first run. */
export interface ProductFacts {
  readonly api_url: string
  readonly ingest_url: string
  readonly agency_id: string
  readonly workspace_id: string
  readonly location_id: string
  readonly site_id: string
  readonly site_key: string
  readonly agent_key: string
  readonly forwarder_token: string
  readonly owner_link: string
  readonly demo?: { readonly agency_id: string; readonly agent_key?: string }
}

/** What a command answered. */
interface CommandAnswer {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** The whole product in processes of its own, on free ports and a data folder of its own. */
export interface RunningProduct {
  readonly facts: ProductFacts
  readonly dataDir: string
  /** The supervisor's process. */
  readonly pid: number
  /** The processes of the gateway and the ingest, as they are now. */
  parts(): { readonly gateway: number; readonly ingest: number }
  /** Kills all of its processes at once, as a power cut does, and waits for their end. */
  kill(): Promise<void>
  /** Everything it wrote so far, both streams. */
  output(): string
  /**
   * Runs `renown …` against it: in this process while it runs, because a process of its own takes most of a second of a core to
   * load every plugin.
   */
  renown(...words: string[]): Promise<CommandAnswer>
  /** Runs `bun renown …` against it, in a process of its own. */
  renownProcess(...words: string[]): Promise<CommandAnswer>
  /** TERM, and the code it ends with. The data folder stays. */
  stop(): Promise<number>
  /** Stops it if it runs and removes its folder. */
  [Symbol.asyncDispose](): Promise<void>
}

interface Options {
  readonly env?: Readonly<Record<string, string>>
  /** Modules that the process loads before the product. */
  readonly preload?: readonly string[]
  /** Words of the start beside `--json`. */
  readonly words?: readonly string[]
  /** A folder of an earlier run; kept afterwards. */
  readonly dataDir?: string
  /** The working folder. The checkout, if this is left out. */
  readonly cwd?: string
  /** How long the start may take. A minute, if this is left out. */
  readonly startMs?: number
  /** What bun runs there to start the product. `core/main.ts`, if this is left out. */
  readonly command?: readonly string[]
}

/** Starts `core/main.ts` and waits until it has said where it is. */
export async function startProduct({
  env = {},
  preload = [],
  words = [],
  dataDir,
  cwd = root,
  command = ['core/main.ts'],
  startMs = 60_000,
}: Options = {}): Promise<RunningProduct> {
  const folder = mkdtempSync(join(tmpdir(), 'renown-product-'))
  const environment = {
    ...jitSettings,
    PATH: process.env.PATH ?? '',
    HOME: folder,
    PORT: '0',
    INGEST_PORT: '0',
    RENOWN_DATA_DIR: dataDir ?? join(folder, 'data'),
    ...env,
  }
  // A script of package.json starts the product itself, so it takes no modules.
  const modules = command[0] === 'run' ? [] : [endsWithItsParent, ...preload]
  const preloads = modules.flatMap((module) => ['--preload', module])
  const errors = join(folder, 'stderr.log')
  const child = Bun.spawn([process.execPath, ...preloads, ...command, '--json', ...words], {
    cwd,
    env: environment,
    stdout: Bun.file(join(folder, 'stdout.log')),
    stderr: Bun.file(errors),
  })
  const output = () => `${readFileSync(join(folder, 'stdout.log'), 'utf8')}${readFileSync(errors, 'utf8')}`
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const parts = () =>
    JSON.parse(readFileSync(join(environment.RENOWN_DATA_DIR, 'renown.pid'), 'utf8')).parts as {
      gateway: number
      ingest: number
    }
  const kill = async () => {
    const { gateway, ingest } = parts()
    // The supervisor first: it would start the others again.
    for (const pid of [child.pid, gateway, ingest]) process.kill(pid, 'SIGKILL')
    await waitFor(() => ![child.pid, gateway, ingest].some(isAlive), { what: 'the killed to be gone' })
  }
  const stop = async () => {
    if (child.exitCode === null) child.kill('SIGTERM')
    return child.exited
  }
  const facts = await waitFor(
    () => {
      if (child.exitCode !== null) throw new Error(`the product ended with ${child.exitCode}:\n${output()}`)
      return factsIn(output())
    },
    { what: 'the product to start', timeoutMs: startMs },
  ).catch(async (error) => {
    await stop()
    remove()
    throw error
  })
  const renownProcess = async (...words: string[]): Promise<CommandAnswer> => {
    const main = cwd === root ? ['core/cli/main.ts'] : ['run', 'renown']
    const run = Bun.spawn([process.execPath, ...main, ...words], {
      cwd,
      env: environment,
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [stdout, stderr, code] = await Promise.all([run.stdout.text(), run.stderr.text(), run.exited])
    return { code, stdout, stderr: withoutNotice(stderr) }
  }
  return {
    facts,
    dataDir: environment.RENOWN_DATA_DIR,
    pid: child.pid,
    parts,
    kill,
    output,
    stop,
    // Only one process can open the stores of a stopped product, and a folder of its own has other plugins.
    renown: (...words) =>
      child.exitCode === null && cwd === root ? runHere(words, environment) : renownProcess(...words),
    renownProcess,
    async [Symbol.asyncDispose]() {
      await stop()
      remove()
    },
  }
}

/** Runs a command in this process, as `core/cli/main.ts` does. */
async function runHere(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<CommandAnswer> {
  const [{ runCli }, { builtin }] = await Promise.all([
    import('../../core/cli/program'),
    import('../../plugins'),
  ])
  let stdout = ''
  let stderr = ''
  const code = await runCli(
    words,
    {
      builtin,
      env,
      workingFolder: root,
      loadIngest: async () => (await import('../../ingest')).createIngest,
      loadLogReader: async () => (await import('../../ingest')).readLogSample,
    },
    {
      out: (text) => {
        stdout += text
      },
      err: (text) => {
        stderr += text
      },
      outIsTerminal: false,
      errIsTerminal: false,
      columns: Number.POSITIVE_INFINITY,
    },
  )
  return { code, stdout, stderr }
}

/** Whether there is such a process; one that ended and was not waited for yet counts as gone. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z'
  } catch {
    return existsSync('/proc/self/stat') ? false : hasSignal(pid)
  }
}

function hasSignal(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function factsIn(output: string): ProductFacts | null {
  for (const line of output.split('\n')) {
    if (!line.includes('"ingest_url"')) continue
    const facts = JSON.parse(line)
    if (facts.api_url && facts.site_id) return facts
  }
  return null
}

/** Removes the sentence that a command is still running, which a busy machine decides. */
const withoutNotice = (stderr: string): string => stderr.replaceAll(/^\r?Working for .*\n?/gm, '')
