import type { Row } from 'renown'
import type { Mention } from '../records/Mention'

/** A post with its author and channel. */
export interface Authored {
  readonly source: Row<typeof Mention>['source']
  readonly author?: { readonly handle: string; readonly url?: string | undefined } | undefined
}

/** Names under which many people write. */
const nobody =
  /^(?:|anonymous|anon|guest|unknown|none|null|user|admin|administrator|\[?deleted\]?|\[?removed\]?|deleted user|ghost|anonym|gast|anonyme|invité|anónimo|invitado|anonimo|ospite|anoniem|anônimo)$/u

/** Returns the name of an author in one form for all ways to write it. Null if nobody is known. */
export function authorOf({ author }: Pick<Authored, 'author'>): string | null {
  const handle = (author?.handle ?? '')
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/^(?:@|\/?u\/)/, '')
  return nobody.test(handle) ? null : handle
}

/** Whether both posts have one author. An author who is not known is nobody's. */
export function isSameAuthor(one: Authored, other: Authored): boolean {
  const author = authorOf(one)
  return author !== null && author === authorOf(other)
}

/** Whether both authors are known, and differ. */
export function isOtherAuthor(one: Authored, other: Authored): boolean {
  const author = authorOf(one)
  const second = authorOf(other)
  return author !== null && second !== null && author !== second
}
