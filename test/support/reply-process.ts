import { ServiceFault } from '../../core/contracts/service-fault'
import { where } from '../../core/contracts/where'
import { freeLeases } from '../../core/jobs/lease'
import { startWorker } from '../../core/jobs/worker'
import { definePlugin } from '../../core/kit'
import { openSqlite } from '../../core/stores/documents/sqlite'
import { type ReviewSource, reviewSource, standingReply } from '../../plugins/reviews/contract'
import { ReviewReply } from '../../plugins/reviews/records/ReviewReply'
import { startGate } from './harness'
import { jobs, platformPlugins } from './platforms'
import { quietLog } from './quiet-log'
import { waitFor } from './wait-for'

/** Opens the store and the plugins that send replies, with a platform on this machine that counts what it is sent. */
export async function openReplies(path: string, platform: string, now = () => new Date()) {
  /** A lost answer is a temporary fault, as with every platform. */
  const ask = async (id: string, init?: RequestInit) => {
    const lost = (why: unknown) => new ServiceFault('transient', `The platform gave no answer: ${why}`)
    const answer = await fetch(`${platform}/${id}`, init).catch((error) => Promise.reject(lost(error)))
    if (!answer.ok) throw lost(answer.status)
    return answer
  }
  const said = async (id: string) => {
    const reply = await (await ask(id)).text()
    const review = { source_id: id, star_rating: 2, review_text: 'Cold soup' }
    return reply === '' ? review : { ...review, reply: { text: reply } }
  }
  const street: ReviewSource = {
    name: 'street',
    source: 'street',
    label: 'Street',
    order: 1,
    evidence: 'none',
    reads: () => true,
    open: () => Promise.reject(new Error('nothing is read here')),
    replies: {
      isIdempotent: false,
      async send(_, __, { source_id }, text) {
        await ask(source_id, { method: 'POST', body: text })
        return {}
      },
      async look(_, __, { source_id }) {
        const review = await said(source_id)
        return { isGone: false, review, reply: standingReply(review) }
      },
    },
  }
  const plugin = definePlugin({ name: 'street', renown: '^1.0.0', provides: [reviewSource.with(street)] })
  const documents = await openSqlite({ path, now, log: quietLog })
  const others = platformPlugins.filter(({ name }) => ['reviews', 'enrichment', 'leads'].includes(name))
  const gate = await startGate({ plugins: [jobs, ...others, plugin], documents })
  return { gate, documents }
}

/**
 * As a process of its own: sends what is queued and ends, unless somebody kills it before. Arguments: store, platform, minutes by which its
 * clock runs ahead. A product that starts frees the leases of the one before, as this does.
 */
if (import.meta.main) {
  const [, , path = '', platform = '', ahead = '0'] = process.argv
  const clock = { now: () => new Date(Date.now() + Number(ahead) * 60_000) }
  const { gate, documents } = await openReplies(path, platform, clock.now)
  await freeLeases(documents)
  const { queues } = gate.registry
  startWorker({ queues, documents, owner: gate.owner, clock, log: quietLog, pollEveryMs: 10 })
  await fetch(`${platform}/started`, { method: 'PUT' })
  const left = where.eq('state', 'queued')
  await waitFor(async () => (await gate.owner.rows(ReviewReply).count(left)) === 0, {
    what: 'all replies to be sent',
    timeoutMs: 300_000,
    everyMs: 50,
  })
  process.exit(0)
}
