import { createFlushLoop } from '../../../ingest/flush/flush-loop'
import { systemFiles } from '../../../ingest/journal/files'

/**
 * A flush loop to be killed: `bun block-child.ts <folder> <ClickHouse> <claims> <step>` ends once all segments stand. With a step above
 * 0 it kills itself before that call of a file. Says `steps <n>` at its end.
 */
const [directory = '', url = '', claims = '', killAt = '0'] = process.argv.slice(2)
let steps = 0

const calls = systemFiles as unknown as Record<string, (...args: unknown[]) => unknown>
for (const [name, call] of Object.entries(calls)) {
  calls[name] = (...args) => {
    if (++steps === Number(killAt)) process.kill(process.pid, 'SIGKILL')
    return call(...args)
  }
}

const loop = createFlushLoop({
  directory,
  target: { url },
  // Only the drain makes rounds, so that the steps are the same each time.
  pollMs: 60_000,
  async say(message) {
    if (message.say === 'log') process.stderr.write(`${JSON.stringify(message)}\n`)
    if (message.say !== 'drained') return
    await loop.stop()
    process.stdout.write(`steps ${steps}\n`)
    process.exit(0)
  },
  desk: {
    async claim(segment, ids) {
      const response = await fetch(claims, { method: 'POST', body: JSON.stringify({ segment, ids }) })
      return (await response.json()) as string[]
    },
    hear() {},
    giveUp() {},
  },
})
loop.drain(1)
