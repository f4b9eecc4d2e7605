import { median } from '../support/cpu'
import { type Answer, keepBusy } from './hits/connection'
import { offer } from './hits/open-loop'
import { requestsOf } from './hits/requests'
import { startServer } from './hits/server'

const seconds = 4
const rounds = 3
const hits = 20
const connections = 256

/**
 * Twice what a server can take, and twice what it may: how many hits still get through, against the most it took in
 * the same run and against what it may, and whether each refusal says when to come again.
 */
export async function run(): Promise<void> {
  const free = await startServer('ingest')
  let peak = await peakOf(free.port)
  const shares: number[] = []
  // In turns: the more ids it knows, the more a hit costs, so that an early peak would be no measure for a late round.
  for (let round = 0; round < rounds; round++) {
    peak = await peakOf(free.port)
    const twice = await offered(free.port, 2 * peak)
    shares.push(shareOf(twice, peak))
    console.log(`peak ${said(peak)} hits/s; offered twice that: ${told(twice, peak)}`)
  }
  console.log(
    `at twice the peak, in the middle of ${rounds} rounds: ${median(shares).toFixed(0)} % (goal 95 %)`,
  )
  await free.stop()

  const bound = Math.round(peak / 4)
  const bounded = await startServer('ingest', { LINES_PER_SECOND: String(bound) })
  // The bucket's burst is a second's worth, or more at a bound below a batch of the largest.
  await offered(bounded.port, 4 * bound)
  const half = await offered(bounded.port, 2 * bound)
  console.log(`offered twice a bound of ${said(bound)}: ${told(half, bound)}`)
  await bounded.stop()
}

const said = (n: number) => Math.round(n).toLocaleString('en')

interface Outcome {
  accepted: number
  refused: number
  /** Refusals that say nothing of when to come again, or are neither 429 nor 503. */
  unsaid: number
  givenUp: number
  due: number
}

function told(outcome: Outcome, of: number): string {
  const { refused, unsaid, givenUp, due } = outcome
  return (
    `${shareOf(outcome, of).toFixed(0)} % of it accepted; of ${said(due)} requests ${said(refused)} were refused, ` +
    `${unsaid} of them without Retry-After or neither 429 nor 503, and ${said(givenUp)} found no connection`
  )
}

const shareOf = ({ accepted }: Outcome, of: number) => (100 * accepted) / seconds / of

const request = requestsOf('/v1/hits', hits)

async function peakOf(port: number): Promise<number> {
  const began = performance.now()
  const done = await keepBusy(port, connections, began + seconds * 1_000, request)
  return (1_000 * done * hits) / (performance.now() - began)
}

async function offered(port: number, hitsPerSecond: number): Promise<Outcome> {
  const outcome: Outcome = { accepted: 0, refused: 0, unsaid: 0, givenUp: 0, due: 0 }
  const counted = await offer({
    port,
    seconds,
    connections,
    queueMax: connections,
    request,
    perSecond: Math.round(hitsPerSecond / hits),
    answered(answer, _, at) {
      // What is answered after the end was sent in it, and would flatter the rate.
      if (answer.status === 200 && at < seconds * 1_000) outcome.accepted += acceptedOf(answer)
      if (answer.status === 200) return
      outcome.refused++
      if (!isSaid(answer)) outcome.unsaid++
    },
  })
  return Object.assign(outcome, counted)
}

const acceptedOf = (answer: Answer) => Number(/"accepted":(\d+)/.exec(answer.text())?.[1])
const isSaid = (answer: Answer) =>
  [429, 503].includes(answer.status) && /\r\nretry-after: [1-9]/i.test(answer.text())
