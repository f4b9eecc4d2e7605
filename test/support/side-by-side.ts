/** What runs next to the tests. */
export interface SideBySide {
  readonly root: string
  /** Commands that run one after another. Their output is printed when each ends. */
  readonly checks: readonly (readonly string[])[]
  /** The command of the tests. It prints while it runs. */
  readonly tests: readonly string[]
  readonly print: (text: string) => void
}

/**
 * Runs checks next to the tests, because tests often wait and leave a core free. Returns the exit code: that of the
 * first check that fails, which also stops the tests, or else that of the tests.
 */
export async function sideBySide({ root, checks, tests, print }: SideBySide): Promise<number> {
  const running = Bun.spawn([...tests], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  const stop = (signal: NodeJS.Signals) => {
    running.kill(signal)
    process.exit(130)
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const failed = runInOrder(root, checks, print).then((code) => {
    if (code !== 0) running.kill('SIGTERM')
    return code
  })
  const [ofChecks, ofTests] = await Promise.all([failed, running.exited])
  process.off('SIGINT', stop).off('SIGTERM', stop)
  return ofChecks === 0 ? ofTests : ofChecks
}

async function runInOrder(
  root: string,
  checks: SideBySide['checks'],
  print: SideBySide['print'],
): Promise<number> {
  for (const command of checks) {
    const child = Bun.spawn([...command], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    print(`${out}${error}`)
    if (code === 0) continue
    print(`\n!! ${command.join(' ')} failed with code ${code}\n`)
    return code
  }
  return 0
}
