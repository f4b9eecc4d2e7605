import { minuteMs, type OwnerContext } from 'renown'
import { askAddress } from 'renown/posts'
import * as v from 'valibot'

const linksForm = v.object({ links: v.array(v.object({ rel: v.string(), href: v.string() })) })
const aboutForm = v.object({ software: v.object({ name: v.string(), version: v.string() }) })

/**
 * The servers that keep an `Idempotency-Key`, by the name of their software and its first version that does. They keep it for an
 * hour in a store that outlives a restart. Renown trusts it for less. Pleroma and Akkoma keep keys only in their memory, and lose
 * them with a restart. GoToSocial, Pixelfed, Friendica and the family of Misskey are not known to keep any.
 */
const keeping: Readonly<Record<string, { readonly sinceMajor: number; readonly lifetimeMs: number }>> = {
  mastodon: { sinceMajor: 3, lifetimeMs: 50 * minuteMs },
  hometown: { sinceMajor: 1, lifetimeMs: 50 * minuteMs },
}

/** Returns how long a server keeps keys, by what it says about its software. Null if it is not known to keep any. */
export async function keyLifetimeMs(ctx: OwnerContext, base: string): Promise<number | null> {
  const asked = { what: "The server's nodeinfo", faultOf: () => null }
  const { links } = await askAddress(ctx, {
    ...asked,
    url: `${base}/.well-known/nodeinfo`,
    answer: linksForm,
  })
  const own = links.find(({ rel }) => rel.includes('nodeinfo'))
  // Only the server itself is asked: another host cannot speak for its software.
  const path = URL.parse(own?.href ?? '', base)?.pathname
  if (path === undefined || path === '/') return null
  const url = `${new URL(base).origin}${path}`
  const { software } = await askAddress(ctx, { ...asked, url, answer: aboutForm })
  const name = software.name.toLowerCase()
  const rule = Object.hasOwn(keeping, name) ? keeping[name] : undefined
  const [major = ''] = /^v?(\d{1,4})\./.exec(software.version)?.slice(1) ?? []
  return rule && major !== '' && Number(major) >= rule.sinceMajor ? rule.lifetimeMs : null
}
