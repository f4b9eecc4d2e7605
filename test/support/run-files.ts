import { filesToRunAgain, type Outcome, readOutcome } from './test-output'

/** Which files run, and how. */
export interface RunPlan {
  readonly root: string
  /** Files that share the machine. */
  readonly shared: readonly string[]
  /** Files that run one after another when all others have ended. */
  readonly alone: readonly string[]
  /** Options of `bun test` for the shared files. */
  readonly options: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** More of the environment, for the shared files only. */
  readonly sharedEnv?: Readonly<Record<string, string>>
  /** Whether a file uses a server that other files use too, so that they fail together. */
  readonly usesServer?: (file: string) => boolean
  /** Prints a piece of what a test process prints. */
  readonly print: (piece: Uint8Array, stream: 'stdout' | 'stderr') => void
}

/** What came of a run. */
export interface RunResult {
  readonly outcomes: readonly Outcome[]
  /** The second run of each file that failed in the first. */
  readonly again: ReadonlyMap<string, Outcome>
}

/**
 * Runs the shared files side by side, then the others alone. Then each file that failed runs again, alone, unless too many
 * failed.
 */
export async function runFiles(plan: RunPlan): Promise<RunResult> {
  const outcomes: Outcome[] = []
  const together = { ...plan, env: { ...plan.env, ...plan.sharedEnv } }
  if (plan.shared.length > 0) outcomes.push(await runOnce(together, plan.shared, plan.options))
  for (const file of plan.alone) outcomes.push(await runOnce(plan, [file], []))
  const again = new Map<string, Outcome>()
  const files = [...plan.shared, ...plan.alone]
  for (const file of filesToRunAgain(files, outcomes, plan.usesServer ?? (() => false))) {
    plan.print(new TextEncoder().encode(`\n!! ${file} failed and runs again, alone\n`), 'stderr')
    again.set(file, await runOnce(plan, [file], []))
  }
  return { outcomes, again }
}

/** Runs files in one `bun test`, prints what it prints, and reads it. What the tests started ends with it. */
async function runOnce(
  { root, env, print }: RunPlan,
  files: readonly string[],
  options: readonly string[],
): Promise<Outcome> {
  const child = Bun.spawn(
    [
      process.execPath,
      '--no-orphans',
      'test',
      '--timeout',
      '90000',
      ...options,
      ...files.map((file) => `./${file}`),
    ],
    { cwd: root, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
  )
  const stop = (signal: NodeJS.Signals) => {
    child.kill(signal)
    process.exit(130)
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const [, output, code] = await Promise.all([
    shown(child.stdout, (piece) => print(piece, 'stdout')),
    shown(child.stderr, (piece) => print(piece, 'stderr')),
    child.exited,
  ])
  process.off('SIGINT', stop).off('SIGTERM', stop)
  return readOutcome(files, code, output)
}

async function shown(
  stream: ReadableStream<Uint8Array>,
  print: (piece: Uint8Array) => void,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of stream) {
    print(piece)
    text += decoder.decode(piece, { stream: true })
  }
  return text
}
