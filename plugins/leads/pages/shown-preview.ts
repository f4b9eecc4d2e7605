import type { ActionContext, PageContext } from 'renown/pages'
import { previewKeywords } from '../judging/preview-keywords'
import type { Channel } from '../records/channels'
import { cleanText } from '../sources/plain-text'
import { type TypedMistake, typedSearch } from '../tracking/tracker-fields'
import { createMarker, type Marks } from './matched-marks'

/** A post that the typed keywords would have matched. */
export interface PreviewLine {
  readonly id: string
  readonly by: string
  readonly source: Channel
  readonly at: string | null
  readonly language: string
  readonly title: string
  readonly text: string
  readonly marks: { readonly title: Marks; readonly text: Marks }
}

/** What the typed keywords would have matched. */
export interface ShownPreview {
  readonly mistakes: readonly TypedMistake[]
  readonly advice: readonly string[]
  readonly posts: number
  readonly matched: number
  readonly lines: readonly PreviewLine[]
}

const before = 60
const partMax = 240

/** Compares what a person typed with the newest stored posts of the workspace. */
export async function shownPreview(
  ctx: Pick<PageContext | ActionContext, 'rows' | 'workspace'>,
  typed: Parameters<typeof typedSearch>[0],
): Promise<ShownPreview> {
  const { mistakes, sources: _, ...draft } = typedSearch(typed)
  if (mistakes.length > 0) return { mistakes, advice: [], posts: 0, matched: 0, lines: [] }
  const marksOf = createMarker()
  const { advice, posts, matched, matches } = await previewKeywords(ctx, ctx.workspace.id, draft)
  return {
    mistakes,
    advice,
    posts,
    matched,
    lines: matches.map(({ post, match }) => {
      const title = cleanText(post.title ?? '', partMax).replaceAll('\n', ' ')
      const body = cleanText(post.body)
      const marks = marksOf({ ...post, title, body }, match.keywords)
      const part = partAround(body, marks.body)
      return {
        id: post.id,
        source: post.source,
        at: post.posted_at ?? null,
        language: post.language,
        title,
        by: cleanText(post.author.name ?? post.author.handle, 80),
        text: part.text,
        marks: { title: marks.title, text: part.marks },
      }
    }),
  }
}

/** Returns the part of a text around its first mark, with the marks at their new places. */
function partAround(text: string, marks: Marks): { readonly text: string; readonly marks: Marks } {
  const first = marks[0]?.[0] ?? 0
  const start = first <= before ? 0 : first - before
  const end = Math.min(text.length, start + partMax)
  const lead = start > 0 ? '…' : ''
  const part = text
    .slice(start, end)
    .toWellFormed()
    .replace(/[\r\n\t]/g, ' ')
  return {
    text: `${lead}${part}${end < text.length ? '…' : ''}`,
    marks: marks.flatMap(([from, to]) =>
      to > end ? [] : [[from - start + lead.length, to - start + lead.length] as const],
    ),
  }
}
