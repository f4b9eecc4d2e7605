import { definePlugin, ServiceFault, where } from 'renown'
import type { PostTarget, ShownPost } from 'renown/posts'
import type { PluginDeclaration } from '../../../../core/contracts/plugin'
import type { Task } from '../../../../core/contracts/queue'
import { Job } from '../../../../core/jobs/Job'
import { createSecrets } from '../../../../core/outbound/secrets'
import { corePlugins } from '../../../../core/product/core-plugins'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { Notification } from '../../../../core/tenancy/news/Notification'
import posts from '../../../../plugins/posts'
import { createPost } from '../../../../plugins/posts/acts/edit'
import { Post } from '../../../../plugins/posts/records/Post'
import { PostAttempt } from '../../../../plugins/posts/records/PostAttempt'
import { PostPlan } from '../../../../plugins/posts/records/PostPlan'
import { workbench } from '../../../support/workbench'

/** What the stand-in does with the next call. */
export type Answer =
  | 'accepts'
  | 'loses the answer'
  | 'never gets it'
  | 'refuses'
  | 'is busy'
  | 'cannot be reached'

/** What the stand-in is, beside a target. */
interface StandInMore extends Partial<PostTarget> {
  /** How long it says that it keeps keys. Absent if it keeps none. */
  readonly lifetimeMs?: number
  /** Whether it keeps the keys that it promises. */
  readonly isKeeping?: boolean
  /** Whether a key is part of the result, so that a call may be repeated after the first look. */
  readonly isExact?: true
}

/** A post that the stand-in shows. */
export interface StandInPost {
  readonly id: string
  text: string
  readonly key: string
  readonly at: string
  state: string
}

/** A platform in this process, with what it was sent and what it shows. */
export function standInTarget({ lifetimeMs, isKeeping = true, isExact, ...more }: StandInMore = {}) {
  const shown: StandInPost[] = []
  const held = {
    shown,
    creates: 0,
    looks: 0,
    opens: 0,
    /** What happens to the next calls; the last one stays. */
    answers: ['accepts'] as Answer[],
    /** The state of new posts. */
    state: 'live',
    /** What a look answers instead of the truth. */
    lie: null as 'absent' | 'unreadable' | null,
    /** How late the list is, in minutes. */
    lag: 0,
    /** Whether the list is all that it has. */
    isWhole: true,
    /** What the answer to a call shows instead of the post. */
    answerLie: null as Partial<ShownPost> | null,
    onOpen: async () => {},
    onCreate: async () => {},
  }
  const wire = ({ id, text, at, state }: StandInPost, evidence: string): ShownPost => ({
    external_id: id,
    url: `https://social.test/${id}`,
    text,
    created_at: at,
    state,
    evidence,
  })
  const target: PostTarget = {
    name: 'stand-in',
    platform: 'linkedin',
    label: 'Stand-in',
    order: 1,
    perHour: 1_000,
    channel: null,
    proof: {
      states: {
        live: 'visible',
        processing: 'processing',
        pending: 'held',
        future: 'held',
        private: 'held',
        trash: 'rejected',
      },
      source: 'test',
    },
    rules: {
      postTypes: ['update', 'offer', 'event'],
      textMax: 200,
      countedIn: 'characters',
      photosMax: 1,
      videosMax: 0,
    },
    async open(ctx) {
      const now = () => ctx.now()
      held.opens++
      await held.onOpen()
      return {
        ...(lifetimeMs === undefined
          ? {}
          : { keys: { lifetimeMs: async () => lifetimeMs, ...(isExact === undefined ? {} : { isExact }) } }),
        async create(post, { key }) {
          held.creates++
          await held.onCreate()
          const answer = held.answers.length > 1 ? held.answers.shift() : held.answers[0]
          const fault = faults[answer ?? 'accepts']
          if (fault && answer !== 'loses the answer') throw fault()
          const isKept = lifetimeMs !== undefined && isKeeping
          const known = isKept ? shown.find((one) => one.key === key) : undefined
          const at = now().toISOString()
          const made = known ?? {
            id: `at-${shown.length}`,
            text: post.content.summary,
            key,
            at,
            state: held.state,
          }
          if (!known) shown.push(made)
          if (fault) throw fault()
          return { ...wire(made, '201'), ...held.answerLie }
        },
        async look() {
          held.looks++
          if (held.lie === 'unreadable') throw new ServiceFault('transient', 'cannot be read')
          if (held.lie === 'absent') return { shown: [], isWhole: true }
          const until = now().getTime() - held.lag * 60_000
          const listed = shown.filter(({ at }) => Date.parse(at) <= until)
          return { shown: listed.map((one) => wire(one, 'listed')), isWhole: held.isWhole }
        },
        async read(id) {
          if (held.lie === 'unreadable') throw new ServiceFault('transient', 'cannot be read')
          const found = shown.find((one) => one.id === id)
          return found ? wire(found, 'read') : null
        },
      }
    },
    ...more,
  }
  return { held, target }
}

const faults: Readonly<Record<Answer, (() => ServiceFault) | undefined>> = {
  accepts: undefined,
  'loses the answer': () => new ServiceFault('transient', 'no answer'),
  'never gets it': () => new ServiceFault('transient', 'no answer'),
  refuses: () => new ServiceFault('permanent', 'The text is not allowed', { delivery: 'refused' }),
  'is busy': () => new ServiceFault('rate', 'Slow down', { delivery: 'refused', retryAfterMs: 60_000 }),
  'cannot be reached': () => new ServiceFault('transient', 'refused', { delivery: 'unsent' }),
}

/** A workspace with a location whose posts go to a stand-in, and a clock that the test moves. */
export async function postWorld(
  target: PostTarget,
  { plugins = [] }: { readonly plugins?: readonly PluginDeclaration[] } = {},
) {
  const plugin = definePlugin({
    name: 'stand-in',
    renown: '^1.0.0',
    needs: ['posts'],
    provides: [{ point: 'posts.target', extension: target }],
  })
  const secrets = createSecrets({ keys: [`k1:${'k'.repeat(42)}A`], folder: null })
  const bench = await workbench([...corePlugins, posts, plugin, ...plugins], { secrets })
  const { owner } = bench
  const { workspace_id = '' } = await bench.command('agency create', { name: 'Acme' })
  const place = async (more: object = {}) =>
    owner.rows(BusinessLocation).insert({
      workspace_id,
      business_name: 'Acme',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
      ...more,
    })
  const location = await place()
  const queue = bench.registry.queues.get('publish-post')
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
  const world = {
    bench,
    owner,
    workspace_id,
    location,
    place,
    task,
    draft: (summary: string, more: object = {}) =>
      createPost(owner, {
        location_id: location.id,
        platform: target.platform,
        post_type: 'update',
        content: { summary, language: 'en', media: [] },
        ...more,
      }),
    /** Runs one step of every post that is due, as the scheduled task and the worker do. */
    async tick() {
      await bench.registry.jobs.get('duePosts')?.run(owner, task.signal)
      const waiting = where.and(where.eq('queue', 'publish-post'), where.eq('is_active', true))
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
    post: async (id: string) => {
      const row = await owner.rows(Post).get(id)
      if (!row) throw new Error(`no post ${id}`)
      return row
    },
    attempts: () => owner.rows(PostAttempt).list({ limit: 100 }),
    plans: () => owner.rows(PostPlan).list({ limit: 100 }),
    news: async () => (await owner.rows(Notification).list({ limit: 100 })).map(({ title }) => title),
    stop: () => bench.stop(),
  }
  return world
}

/** A workspace for tests of posts. */
export type PostWorld = Awaited<ReturnType<typeof postWorld>>
