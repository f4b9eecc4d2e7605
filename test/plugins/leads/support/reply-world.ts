import { definePlugin, ServiceFault, where } from 'renown'
import {
  leadsReply,
  leadsSource,
  type OwnReply,
  publicPolicy,
  type ReplyChannel,
  type ShownReply,
  type SourcePolicy,
} from 'renown/leads'
import type { Row } from '../../../../core/contracts/entity'
import type { Task } from '../../../../core/contracts/queue'
import { Job } from '../../../../core/jobs/Job'
import { corePlugins } from '../../../../core/product/core-plugins'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { Notification } from '../../../../core/tenancy/news/Notification'
import leads from '../../../../plugins/leads'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { MentionReply, ReplyAttempt } from '../../../../plugins/leads/records/MentionReply'
import { workbench } from '../../../support/workbench'

/** What the stand-in does with the next call. */
export type Answer =
  | 'accepts'
  | 'loses the answer'
  | 'never gets it'
  | 'refuses'
  | 'is busy'
  | 'cannot be reached'

const faults: Readonly<Record<Answer, (() => ServiceFault) | undefined>> = {
  accepts: undefined,
  'loses the answer': () => new ServiceFault('transient', 'no answer'),
  'never gets it': () => new ServiceFault('transient', 'no answer'),
  refuses: () => new ServiceFault('permanent', 'The text is not allowed', { delivery: 'refused' }),
  'is busy': () => new ServiceFault('rate', 'Slow down', { delivery: 'refused', retryAfterMs: 60_000 }),
  'cannot be reached': () => new ServiceFault('transient', 'refused', { delivery: 'unsent' }),
}

/** What the stand-in is, beside a channel. */
export interface StandInMore extends Partial<ReplyChannel> {
  /** How long it keeps keys. Absent if it keeps none. */
  readonly lifetimeMs?: number
}

/** A platform in this process, with what it was sent and what it shows. */
function standInChannel({ lifetimeMs, ...more }: StandInMore) {
  const held = {
    shown: [] as (OwnReply & { readonly key: string })[],
    sends: 0,
    looks: 0,
    isGone: false,
    /** What happens to the next calls; the last one stays. */
    answers: ['accepts'] as Answer[],
    /** What a look answers instead of the truth. */
    lie: null as 'absent' | 'unreadable' | null,
    /** The state of new replies. */
    state: 'live',
    /** What the answer to a call shows instead of the reply. */
    answerLie: null as Partial<ShownReply> | null,
    account: { id: 'acc-1', name: 'Acme' } as { id: string; name: string } | { why: string },
    onOpen: async () => {},
    onSend: async () => {},
  }
  const channel: ReplyChannel = {
    name: 'stand-in',
    channel: 'reddit',
    label: 'Stand-in',
    textMax: 200,
    countedIn: 'characters',
    proof: { states: { live: 'visible', pending: 'held', removed: 'rejected' }, source: 'test' },
    accountOf: async () => held.account,
    async open(ctx) {
      await held.onOpen()
      return {
        ...(lifetimeMs === undefined ? {} : { keys: { lifetimeMs: async () => lifetimeMs } }),
        async look() {
          held.looks++
          if (held.lie === 'unreadable') throw new ServiceFault('transient', 'cannot be read')
          if (held.isGone) return { isGone: true }
          return { isGone: false, own: held.lie === 'absent' ? [] : held.shown }
        },
        async send({ text }, { key }) {
          held.sends++
          await held.onSend()
          const answer = held.answers.length > 1 ? held.answers.shift() : held.answers[0]
          const fault = faults[answer ?? 'accepts']
          if (fault && answer !== 'loses the answer') throw fault()
          const known = lifetimeMs === undefined ? undefined : held.shown.find((one) => one.key === key)
          const id = `at-${held.shown.length}`
          const made = known ?? {
            external_id: id,
            url: `https://social.test/${id}`,
            text,
            key,
            created_at: ctx.now().toISOString(),
            state: held.state,
          }
          if (!known) held.shown.push(made)
          if (fault) throw fault()
          return { ...made, evidence: '201', ...held.answerLie }
        },
      }
    },
    ...more,
  }
  return { held, channel }
}

/** A mention of a location whose replies go to a stand-in, and a clock that the test moves. */
export async function replyWorld(more: StandInMore = {}, policy: Partial<SourcePolicy> = {}) {
  const { held, channel } = standInChannel(more)
  const plugin = definePlugin({
    name: 'stand-in',
    renown: '^1.0.0',
    needs: ['leads'],
    provides: [
      leadsReply.with(channel),
      leadsSource.with({
        name: 'searching',
        label: 'Search',
        channels: ['reddit', 'forum'],
        reach: 'search',
        everyMs: 60_000,
        policy: { ...publicPolicy, terms_url: 'https://terms.example/', ...policy },
        needs: () => [],
        read: async () => ({ posts: [], unread: [], cursor: null, isMore: false }),
      }),
    ],
  })
  const bench = await workbench([...corePlugins, leads, plugin])
  const { owner } = bench
  const { workspace_id = '' } = await bench.command('agency create', { name: 'Acme' })
  const location = await owner.rows(BusinessLocation).insert({
    workspace_id,
    business_name: 'Acme',
    is_active: true,
    is_prospect: false,
    auto_response_enabled: false,
  })
  const queue = bench.registry.queues.get('send-mention-reply')
  const task: Task = {
    id: 'job_1',
    workspace_id,
    attempt: 1,
    signal: new AbortController().signal,
    saved: {},
    hold: async () => {},
    progress: async () => {},
    save: async () => {},
  }
  let posts = 0
  const world = {
    bench,
    owner,
    workspace_id,
    location,
    held,
    task,
    async mention(given: Partial<Row<typeof Mention>> = {}) {
      const source_id = `t3_${++posts}`
      return owner.rows(Mention).insert({
        workspace_id,
        location_id: location.id,
        tracker_id: 'trk_1',
        source: 'reddit',
        source_id,
        url: `https://forum.example/${source_id}`,
        body: 'Which plumber?',
        excerpt: 'Which plumber?',
        language: 'en',
        author: { handle: 'sam' },
        posted_at: bench.now.toISOString(),
        discovered_at: bench.now.toISOString(),
        matched_keywords: ['plumber'],
        is_lead: false,
        status: 'new',
        is_read: false,
        is_archived: false,
        tags: [],
        found_by: 'searching',
        ...given,
      })
    },
    /** Runs one step of every reply that is due, as the scheduled task and the worker do. */
    async tick() {
      await bench.registry.jobs.get('dueMentionReplies')?.run(owner, task.signal)
      const waiting = where.and(where.eq('queue', 'send-mention-reply'), where.eq('is_active', true))
      for (const job of await bench.collection(Job).find({ where: waiting })) {
        await bench.collection(Job).updateOne(where.eq('id', job.id), { set: { is_active: false } })
        await queue?.run(owner, job.payload, task)
      }
    },
    /** Moves the clock in steps and ticks after each. */
    async pass(minutes: number, stepMinutes = 1) {
      for (let passed = 0; passed < minutes; passed += stepMinutes) {
        bench.now = new Date(bench.now.getTime() + stepMinutes * 60_000)
        await world.tick()
      }
    },
    reread: async (id: string) => {
      const row = await owner.rows(Mention).get(id)
      if (!row) throw new Error(`no mention ${id}`)
      return row
    },
    reply: async () => (await owner.rows(MentionReply).list({ limit: 1 }))[0],
    attempts: () => owner.rows(ReplyAttempt).list({ limit: 100 }),
    news: async () => (await owner.rows(Notification).list({ limit: 100 })).map(({ title }) => title),
    stop: () => bench.stop(),
  }
  return world
}

/** A workspace for tests of replies to mentions. */
export type ReplyWorld = Awaited<ReturnType<typeof replyWorld>>
