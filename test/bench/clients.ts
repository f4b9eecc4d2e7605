import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withCore } from '../../core/product/core-plugins'
import { openColumns } from '../../core/stores/columns/client'
import { openSqlite } from '../../core/stores/documents/sqlite'
import { builtin } from '../../plugins'
import { startGate } from '../support/harness'
import { quietLog as log } from '../support/quiet-log'
import { signedIn } from '../support/signed-in'
import { clientName, createClients } from './clients/seed'

const sizes = (process.env.RENOWN_BENCH_CLIENTS ?? '10,100').split(',').map(Number)
const rounds = Number(process.env.RENOWN_BENCH_ROUNDS ?? 7)
/** What one client has is divided by it. 1 is a whole client. */
const part = Number(process.env.RENOWN_BENCH_PART ?? 10)
/** Growth from the first size to the last, except of what lists the clients. */
const growthMax = 1.5
/** CPU of what lists the clients, in milliseconds. */
const listMax = 300

const compared = { figures: ['reviews', 'rating', 'reply_rate', 'unanswered', 'mentions', 'leads'] }
const stars = { entity: 'Review', group_by: ['workspace'], measures: ['count', 'avg:star_rating'], days: 28 }

/**
 * What an agency asks with 10, 100 and 1,000 clients: of one client, and of all of them. CPU of this process, and how it grows
 * with the number of clients, beside the answer that names the credential. `RENOWN_BENCH_CLIENTS=10,100,1000
 * RENOWN_BENCH_PART=1` takes whole clients: 1,500 reviews, 300 mentions, 1,000 answers, half with a website of 365 days.
 */
export async function run(): Promise<void> {
  const path = mkdtempSync(join(tmpdir(), 'renown-bench-'))
  const columns = await openColumns({ path }, { log })
  const documents = await openSqlite({ path: join(path, 'documents.sqlite'), now: () => new Date(), log })
  const gate = await startGate({ plugins: withCore(builtin), columns, documents })
  try {
    const { cookie } = await signedIn(gate)
    const clients = createClients({ gate, columns, part })
    const page = (address: string) => async () => {
      const answer = await gate.ask(address, { key: null, headers: { cookie } })
      const text = await answer.text()
      if (answer.status !== 200 || text.includes('Unavailable'))
        throw new Error(`${address}: ${answer.status}`)
    }
    const call = (name: string, body: object, workspace?: string) => async () => {
      const answer = await gate.call(name, body, workspace === undefined ? {} : { workspace })
      if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
      await answer.text()
    }
    let made = 0
    let people = 0
    for (const size of sizes) {
      await clients.add(made, size)
      made = size
      await gate.owner.repairSums(new AbortController().signal)
      const first = clients.workspaceOf(0)
      const inside = `/app/w/${first}`
      const floor = await cpuOf(call('whoami', {}))
      const measure = async (name: string, isList: boolean, work: () => Promise<unknown>) =>
        report({ size, name, isList, cpu: await cpuOf(work), floor })
      await measure('whoami', false, call('whoami', {}))
      await measure('sign-in', false, () => signedIn(gate, { email: `${people++}@bench.example` }))
      await measure('Home', false, page(inside))
      await measure('inbox', false, page(`${inside}/inbox`))
      await measure('list of reviews', false, page(`${inside}/reviews`))
      await measure('getReviewAnalytics, 365 days', false, call('getReviewAnalytics', { days: 365 }, first))
      await measure('Clients', true, page('/app/clients'))
      await measure('Clients, searched', true, page(`/app/clients?q=${encodeURIComponent(clientName(3))}`))
      await measure('Clients, second page by rating', true, page('/app/clients?sort=rating&at=2'))
      await measure('compareWorkspaces', true, call('compareWorkspaces', compared))
      await measure(
        'compareWorkspaces, sorted',
        true,
        call('compareWorkspaces', { ...compared, sort: 'rating' }),
      )
      await measure(
        'aggregateRecords of all',
        true,
        call('aggregateRecords', { ...stars, workspaces: ['*'] }),
      )
    }
  } finally {
    await gate.stop()
    await documents.close()
    await columns.close()
    rmSync(path, { recursive: true, force: true })
  }
}

/** The least CPU of several rounds, in milliseconds, after two that warm up. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = -2; round < rounds; round++) {
    const used = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(used)
    if (round >= 0) least = Math.min(least, (user + system) / 1_000)
  }
  return least
}

interface Measured {
  readonly size: number
  readonly name: string
  readonly isList: boolean
  readonly cpu: number
  readonly floor: number
}

/** CPU of each question at the first size. */
const smallest = new Map<string, number>()

function report({ size, name, isList, cpu, floor }: Measured): void {
  const first = smallest.get(name) ?? cpu
  smallest.set(name, first)
  const growth = cpu / first
  const isOver = isList ? cpu > listMax : growth > growthMax
  const figures = `${cpu.toFixed(1).padStart(8)} ms, ${growth.toFixed(1)} × the first size, ${(cpu / floor).toFixed(0)} × whoami`
  console.log(`${String(size).padStart(5)} clients  ${name.padEnd(30)} ${figures}${isOver ? '  OVER' : ''}`)
}
