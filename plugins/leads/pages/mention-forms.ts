import { listAddress, type PageProps } from 'renown/web'
import type { ShownMention } from './load-mention'
import type { MentionsData } from './load-mentions'

/** The address of the page. */
export const mentionsPath = '/app/mentions'

/** The props of the page and the selected mention. */
export type DetailProps = PageProps<MentionsData> & { readonly of: ShownMention }

/** Returns the common parts of a form about a mention: its id, the next one, and the state of the page. */
export function formOf({ data, csrf, of: mention }: DetailProps, name: string) {
  const { list } = data
  return {
    action: `${mentionsPath}/${name}`,
    csrf,
    hidden: {
      mention: mention.id,
      following: list.beside?.following ?? '',
      search: list.search,
      back: listAddress(list, { mention: mention.id }),
    },
  }
}
