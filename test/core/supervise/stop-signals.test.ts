import { expect, test } from 'bun:test'

/** Which signals a process listens to that was started with HUP ignored, as under `nohup`, or not. */
async function heardBy(trap: string): Promise<string> {
  const from = JSON.stringify(`${import.meta.dir}/../../../core/supervise/stop-signals.ts`)
  const script = `const { onStopSignals } = await import(${from})
    onStopSignals((because) => { console.log(because); if (because === 'SIGTERM') process.exit(0) })
    const heard = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1'].filter((signal) => process.listenerCount(signal) > 0)
    console.log(heard.join(' '))
    for (const signal of heard.toReversed()) process.kill(process.pid, signal)
    setInterval(() => {}, 1_000)`
  const child = Bun.spawn(['sh', '-c', `${trap} exec "$0" -e "$1"`, process.execPath, script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = await Promise.all([child.stdout.text(), child.exited])
  return said.trim().split('\n').join(', ')
}

test('a process hears TERM, INT and HUP, and leaves HUP alone where it is ignored', async () => {
  const [usual, detached] = await Promise.all([heardBy(''), heardBy("trap '' HUP;")])
  expect(usual).toStartWith('SIGTERM SIGINT SIGHUP, ')
  expect(usual.split(', ').slice(1).toSorted().join()).toBe('SIGHUP,SIGINT,SIGTERM')
  expect(detached).toStartWith('SIGTERM SIGINT, ')
  expect(detached).not.toContain('HUP')
})
