import { trimTrailing } from 'renown'
import { phoneDigits } from '../website/text'
import type { Findings } from './profile'

const contacts = {
  link: /(?:https?:\/\/|www\.)[^\s)\]>"']+|(?<![\p{L}\p{N}@.-])(?:[a-z0-9-]{1,63}\.){1,9}(?:com|net|org|info|biz|io|co|app|shop|de|fr|es|it|nl|be|at|ch|uk|ie|pt|pl|eu|us|xyz|top|site|online|ru|cn)(?![\p{L}\p{N}])[^\s)\]>"']{0,300}/giu,
  mail: /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,9}/g,
  phone: /\+?\d[\d ()/.-]{5,40}\d/g,
} as const

/** Checks whether a text uses words of the business's own pages and listing. */
export interface OwnWords {
  /** Whether every link, mail address and telephone number in the text is also in the pages or the listing. */
  holds(text: string): boolean
  /** Whether at least one word of the text is in the pages or the listing. */
  knows(text: string): boolean
}

/** Collects the texts that a model's answer is compared with. */
export function ownWords({ site, listing, data }: Findings): OwnWords {
  const said = [
    ...(site?.pages ?? []).flatMap((page) => [
      page.title,
      page.description,
      ...page.blocks,
      ...page.phones,
      page.url,
    ]),
    ...(site?.pages ?? []).flatMap((page) => page.links.map(({ url }) => url)),
    ...(listing
      ? [listing.about, ...listing.services, ...listing.attributes, ...Object.values(listing.fields)]
      : []),
    ...(data ? [data.description, data.phone, ...data.services, ...data.attributes, ...data.same_as] : []),
  ].join('\n')
  const text = said.toLowerCase()
  const numbers = new Set((said.match(contacts.phone) ?? []).map(phoneDigits))
  return {
    holds(claim) {
      const named = [...(claim.match(contacts.link) ?? []), ...(claim.match(contacts.mail) ?? [])]
      const isNamed = named.every((one) =>
        text.includes(trimTrailing(one.toLowerCase().replace(/^https?:\/\//, ''), '.,;:!?')),
      )
      return isNamed && (claim.match(contacts.phone) ?? []).every((one) => numbers.has(phoneDigits(one)))
    },
    knows: (claim) =>
      (claim.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [claim.toLowerCase()]).some((word) =>
        text.includes(word),
      ),
  }
}
