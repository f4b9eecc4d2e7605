import { definePlugin, Refusal, text, where } from 'renown'
import { type AnyPage, defineAction, definePage } from 'renown/pages'
import * as v from 'valibot'
import { Note, notes } from '../notes-plugin'
import { passTime } from '../wait-for'
import { greetedWords } from './greeted-words'

/** What the page is given. */
export interface CounterData {
  readonly stage: string
  readonly titles: readonly string[]
}

/** A page over notes: data, a download, two forms and news. */
export const counterPage = definePage<CounterData>({
  path: '/app/counter',
  title: 'Counter',
  nav: { label: 'Counter', order: 5 },
  module: new URL('./counter.tsx', import.meta.url),
  async load(ctx, query) {
    const stage = query.get('stage') === 'done' ? 'done' : 'new'
    const rows = await ctx.rows(Note).list({ where: where.eq('stage', stage) })
    return { stage, titles: rows.map(({ title }) => title) }
  },
  async download(ctx, query) {
    const stage = query.get('stage') === 'done' ? 'done' : 'new'
    const rows = ctx.rows(Note).each({ where: where.eq('stage', stage) })
    return {
      columns: [{ name: 'title' }],
      rows: (async function* () {
        for await (const { title } of rows) yield [title]
      })(),
    }
  },
  actions: {
    add: defineAction({
      input: v.strictObject({ title: v.pipe(text(20), v.minLength(2, 'at least two letters')) }),
      auth: 'session',
      async run(ctx, { title }) {
        if (title === 'refused') throw new Refusal('conflict', 'There is one like it.')
        const row = { title, stage: 'new', secret: 's', is_archived: false } as const
        await ctx.owner.rows(Note).insert({ ...row, workspace_id: ctx.workspace.id })
      },
    }),
    mint: defineAction({
      input: v.strictObject({}),
      auth: 'recent',
      run: async () => ({ shown: 'token-shown-once' }),
    }),
  },
  events: {
    async *ticks(ctx, _query, signal) {
      for (let count = await ctx.rows(Note).count(); !signal.aborted; count++) {
        yield { count }
        await passTime(20)
      }
    },
  },
  style: '#stage{color:inherit}',
})

export interface GreetedData {
  readonly count: number
  readonly at: string
  /** The language that `load` was given. */
  readonly language: string
}

/** A page with a script and with words, of which one is not translated. */
export const greetedPage = definePage<GreetedData>({
  path: '/app/greeted',
  title: greetedWords('title'),
  words: greetedWords,
  module: new URL('./greeted.tsx', import.meta.url),
  load: async (ctx) => ({
    count: 2_000,
    at: new Date(ctx.now().getTime() - 3 * 3_600_000).toISOString(),
    language: ctx.language,
  }),
})

/** Notes with pages of these. */
export const withPages = (...pages: readonly AnyPage[]) => definePlugin({ ...notes, pages })
