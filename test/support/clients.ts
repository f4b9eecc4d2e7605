import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitFor } from './wait-for'

const cache = join(import.meta.dir, '../../node_modules/.cache/test-clients')
const manifests = ['package.json', 'bun.lock']

/** Clients of others, started as their users start them. */
export type ClientName = 'conformance' | 'mcp-inspector' | 'mcp-remote'

/** What a client wrote, and how it ended. */
export interface ClientRun {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** The command that starts a client. Only tests that need `MCP clients` may ask for it. */
export function clientCommand(name: ClientName): string[] {
  const folder = clientsFolder()
  if (!folder) throw new Error('the clients of others are not installed')
  return [process.execPath, '--bun', join(folder, 'node_modules/.bin', name)]
}

const installed = new Map<string, string | null>()

/**
 * The folder in which the clients are installed, or null where they cannot be. They are not among the development dependencies: the
 * first test that needs one installs them into a cache, as `clients/bun.lock` says.
 */
export const clientsFolder = () => packagesFolder('clients')

/** The same for the packages that the `package.json` of a folder beside this file names. */
export function packagesFolder(name: 'clients' | 'frameworks' | 'next'): string | null {
  const known = installed.get(name)
  if (known !== undefined) return known
  const folder = install(join(import.meta.dir, name))
  installed.set(name, folder)
  return folder
}

/** Waits for the installation: whether a test is skipped must be known before it is registered. */
function install(declared: string): string | null {
  const texts = manifests.map((name) => readFileSync(join(declared, name), 'utf8'))
  const folder = join(cache, Bun.hash(texts.join()).toString(36))
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const fresh = mkdtempSync(join(cache, 'fresh-'))
  for (const [at, name] of manifests.entries()) writeFileSync(join(fresh, name), texts[at] ?? '')
  const { exitCode, stderr } = Bun.spawnSync(
    [process.execPath, 'install', '--frozen-lockfile', '--ignore-scripts'],
    { cwd: fresh, env: { ...process.env }, timeout: 120_000 },
  )
  // Another test process may have been first.
  if (exitCode === 0 && !existsSync(folder)) renameSync(fresh, folder)
  rmSync(fresh, { recursive: true, force: true })
  if (existsSync(folder)) return folder
  console.warn(
    `\n!! The packages of ${declared} could not be installed: ${stderr.toString().trim().slice(-500)}\n`,
  )
  return null
}

interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly timeoutMs?: number
}

/** Runs a program to its end, without the environment of the tests. */
export async function runProgram(
  command: string[],
  { cwd, env = {}, timeoutMs = 60_000 }: RunOptions = {},
): Promise<ClientRun> {
  const child = Bun.spawn(command, {
    ...(cwd ? { cwd } : {}),
    env: { PATH: process.env.PATH ?? '', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: timeoutMs,
  })
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, stdout, stderr }
}

/** A client that runs until it is stopped, and is spoken to. */
export interface RunningClient {
  /** Both streams so far. */
  output(): string
  /** JSON-RPC by its standard input; the answer of that id. */
  ask(method: string, params?: object): Promise<Record<string, unknown>>
  tell(method: string): void
  /** A line by its standard input. */
  type(line: string): void
  /** The first address in its output that the form finds. */
  address(form: RegExp): Promise<URL>
  readonly ended: Promise<number>
  /** Ends it, if it has not ended by itself. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a client that asks a person to sign in, or that speaks by its standard input. No browser of the machine opens. */
export function startClient(command: string[], env: Readonly<Record<string, string>> = {}): RunningClient {
  const child = Bun.spawn(command, {
    cwd: join(import.meta.dir, '../..'),
    env: { PATH: '/nonexistent', BROWSER: 'true', ...env },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let output = ''
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    for await (const part of stream.pipeThrough(
      new TextDecoderStream() as never,
    ) as unknown as AsyncIterable<string>) {
      output += part
    }
  }
  // What is cut off when it is stopped is nobody's fault.
  for (const stream of [child.stdout, child.stderr]) collect(stream).catch(() => {})
  const until = <T>(what: string, find: () => T | null | undefined) =>
    waitFor(
      () => {
        const found = find()
        if (!found && child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}:\n${output}`)
        return found
      },
      { what, timeoutMs: 30_000 },
    )
  const type = (line: string) => {
    child.stdin.write(`${line}\n`)
    child.stdin.flush()
  }
  const tell = (message: object) => type(JSON.stringify({ jsonrpc: '2.0', ...message }))
  let asked = 0
  return {
    output: () => output,
    tell: (method) => tell({ method }),
    type,
    async ask(method, params = {}) {
      const id = ++asked
      tell({ id, method, params })
      return until(`an answer to ${method}`, () => answerIn(output, id))
    },
    address: async (form) => new URL(await until(`an address like ${form}`, () => form.exec(output)?.[0])),
    ended: child.exited,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}

function answerIn(output: string, id: number): Record<string, unknown> | null {
  for (const line of output.split('\n')) {
    if (!line.startsWith('{') || !line.includes(`"id":${id}`)) continue
    try {
      const message = JSON.parse(line)
      if (message.id === id && !message.method) return message
    } catch {}
  }
  return null
}
