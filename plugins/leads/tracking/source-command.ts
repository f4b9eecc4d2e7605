import { defineCommand, minuteMs } from 'renown'
import * as v from 'valibot'
import { SourceTarget } from '../records/SourceTarget'
import { leadsSource, type MentionSource } from '../sources/source'

const minutesOf = (ms: number) => Math.round(ms / (minuteMs / 10)) / 10

/** Returns the real intervals of a source. Its terms share a budget of readings, which can make them longer. */
function intervalsOf(
  { isPushed, everyMs }: MentionSource,
  {
    targets,
    stretched,
    shortest,
    longest,
  }: Readonly<Record<'targets' | 'stretched' | 'shortest' | 'longest', unknown>>,
) {
  if (isPushed) return { every_minutes: null, every_minutes_max: null }
  const isEach = Number(targets) > 0 && Number(stretched) >= Number(targets)
  return {
    every_minutes: minutesOf(Math.max(everyMs, isEach ? Number(shortest ?? 0) : 0)),
    every_minutes_max: minutesOf(Math.max(everyMs, Number(longest ?? 0))),
  }
}

/** Only a reading that succeeded shows that a source can be read. */
function stateOf(
  { isPushed }: MentionSource,
  needs: readonly string[],
  { targets, failing, read_at }: Readonly<Record<'targets' | 'failing' | 'read_at', unknown>>,
): string {
  if (needs.length > 0) return `needs ${needs.join(' and ')}`
  if (isPushed) return 'waits for posts'
  if (Number(targets) === 0) return 'not used'
  if (Number(failing) >= Number(targets)) return 'failing'
  if (Number(failing) > 0) return 'partly failing'
  return read_at === null ? 'not read yet' : 'ready'
}

/** Lists the sources with what they need, how often they are read and how their readings went. */
export const listMentionSources = defineCommand({
  name: 'mention source list',
  summary:
    'List the sources of mentions, what each of them needs, how often it is read, and how its last readings went',
  input: v.strictObject({}),
  async run(ctx) {
    const targets = await ctx.rows(SourceTarget).group({
      by: ['source'],
      measures: [
        { as: 'targets', fn: 'count' },
        { as: 'failing', fn: 'count', field: 'error' },
        { as: 'posts', fn: 'sum', field: 'posts_seen' },
        { as: 'unread', fn: 'sum', field: 'unread_seen' },
        { as: 'unread_last', fn: 'sum', field: 'unread_last' },
        { as: 'undated_last', fn: 'sum', field: 'undated_last' },
        { as: 'read_at', fn: 'max', field: 'read_at' },
        { as: 'error', fn: 'max', field: 'error' },
        { as: 'stretched', fn: 'count', field: 'every_ms' },
        { as: 'shortest', fn: 'min', field: 'every_ms' },
        { as: 'longest', fn: 'max', field: 'every_ms' },
      ],
    })
    const bySource = new Map(targets.map((row) => [row.source, row]))
    return {
      sources: ctx.extensions(leadsSource).map((source) => {
        const needs = source.needs(ctx)
        const {
          targets = 0,
          failing = 0,
          posts = 0,
          unread = 0,
          unread_last = 0,
          undated_last = 0,
          read_at = null,
          error = null,
          stretched = 0,
          shortest = null,
          longest = null,
        } = bySource.get(source.name) ?? {}
        return {
          source: source.label,
          key: source.name,
          channels: source.channels.join(' '),
          state: stateOf(source, needs, { targets, failing, read_at }),
          ...intervalsOf(source, { targets, stretched, shortest, longest }),
          targets,
          failing,
          posts,
          unread,
          unread_last: Number(unread_last ?? 0),
          undated_last: Number(undated_last ?? 0),
          read_at,
          error,
        }
      }),
    }
  },
})
