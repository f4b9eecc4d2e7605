import { doorsOf } from './doors'
import type { ServerFacts } from './facts'

/** Requests under way at once, by door. */
const crowd: Readonly<Record<string, number>> = {
  list: 10,
  filter: 60,
  'daily rows': 10,
  page: 60,
  overview: 20,
  'page data': 20,
  mcp: 30,
  job: 40,
  stream: 200,
  'sign-in': 5,
}

/**
 * An agency that does its worst, in a process of its own: `bun loud.ts <facts as JSON> <seconds> <doors>`. Prints how often
 * each door answered with which status, as JSON. A request that was refused is sent again soon, whatever Retry-After says.
 */
const [facts = '', seconds = '0', doors = ''] = process.argv.slice(2)
const { signal } = new AbortController()
const until = performance.now() + Number(seconds) * 1_000
const said = JSON.parse(facts) as ServerFacts
const wanted = doorsOf(said, said.loud, true).filter(
  ({ name }) => doors === '' || doors.split(',').includes(name),
)
const answered: Record<string, Record<number, number>> = {}

async function knock(name: string, once: () => Promise<{ readonly status: number }>) {
  answered[name] ??= {}
  const statuses = answered[name]
  while (performance.now() < until) {
    const { status } = await once()
    statuses[status] = (statuses[status] ?? 0) + 1
    await Bun.sleep(status === 200 ? 0 : 250)
  }
}

const all = wanted.flatMap((door) =>
  Array.from({ length: crowd[door.name] ?? 1 }, () => knock(door.name, () => door.knock(signal))),
)
await Promise.race([Promise.all(all), Bun.sleep(Number(seconds) * 1_000 + 500)])
console.log(JSON.stringify(answered))
process.exit(0)
