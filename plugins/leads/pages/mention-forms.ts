import type { PageProps } from 'renown/web'
import type { ShownMention } from './load-mention'
import type { MentionsData } from './load-mentions'
import { searchOf } from './mention-filters'

/** The address of the page. */
export const mentionsPath = '/app/mentions'

/** The props of the page and the selected mention. */
export type DetailProps = PageProps<MentionsData> & { readonly of: ShownMention }

/** Returns the address of the page with these filters. */
export const addressOf = (search: string): string =>
  search === '' ? mentionsPath : `${mentionsPath}?${search}`

/** Returns the common parts of a form about a mention: its id, the next one, and the state of the page. */
export function formOf({ data, csrf, of: mention }: DetailProps, name: string) {
  const { asked, lines } = data
  const place = lines.findIndex(({ id }) => id === mention.id)
  const following = place < 0 ? undefined : (lines[place + 1] ?? lines[place - 1])
  return {
    action: `${mentionsPath}/${name}`,
    csrf,
    hidden: {
      mention: mention.id,
      following: following?.id ?? '',
      search: searchOf(asked, { mention: '', after: asked.after }),
      back: addressOf(searchOf(asked, { mention: mention.id, after: asked.after })),
    },
  }
}
