import { type OwnerContext, ServiceFault, statusFault } from 'renown'
import {
  type AddressAnswer,
  askAddress,
  baseAddress,
  isSiteAddress,
  type OpenTarget,
  type PostTarget,
  type PublishedPost,
} from 'renown/posts'
import * as v from 'valibot'
import { bodyOf, slugOf, titleOf } from './page-text'

const userForm = v.object({
  id: v.pipe(v.number(), v.integer()),
  capabilities: v.optional(v.record(v.string(), v.boolean())),
})
const pageForm = v.object({
  id: v.pipe(v.number(), v.integer(), v.minValue(1)),
  link: v.optional(v.string()),
  slug: v.string(),
  status: v.string(),
})
const errorForm = v.object({ code: v.string(), message: v.string() })

/**
 * Posts on a website with WordPress. It recognizes no keys. The slug of a page contains the key of the attempt, and by it
 * the page is found again.
 */
export const wordpressPosts: PostTarget = {
  name: 'wordpress',
  platform: 'wordpress',
  label: 'WordPress',
  order: 40,
  perHour: 30,
  rules: {
    ...{ postTypes: ['update', 'offer', 'event'], textMax: 5_000, countedIn: 'characters' },
    ...{ photosMax: 10, videosMax: 0 },
  },
  channel: {
    address: { label: 'Address of the website, such as https://example.com' },
    account: { label: 'User name of an author or editor' },
    secret: { label: 'Application password of the user (Users, Profile)' },
    refusal: ({ address }) =>
      isSiteAddress(address) ? null : 'The address of the website must begin with https://.',
  },
  async open(ctx, { channel: { address, account, secret } }): Promise<OpenTarget> {
    const ask = asker(ctx, `${baseAddress(address)}/wp-json/wp/v2`, account, secret.replace(/\s/g, ''))
    const { capabilities } = await ask('/users/me?context=edit', userForm, { what: "WordPress's user" })
    // A page of a contributor would wait for an editor, and nobody would see it.
    if (capabilities && capabilities.publish_posts !== true) {
      throw new ServiceFault('permission', 'The user may not publish posts on this website')
    }
    return {
      async create(post, { key }) {
        const json = {
          title: titleOf(post),
          content: bodyOf(post),
          slug: slugOf(post, key),
          status: 'publish',
        }
        const page = await ask('/posts', pageForm, { what: "WordPress's answer to the post", json })
        return published(page, '201')
      },
      async look(post, { key }) {
        const slug = slugOf(post, key)
        const query = new URLSearchParams({ slug, status: 'any', context: 'edit' })
        const pages = await ask(`/posts?${query}`, v.array(pageForm), { what: "WordPress's list of posts" })
        const found = pages.find((one) => one.slug === slug)
        return found ? published(found, 'the slug') : null
      },
    }
  },
}

const published = ({ id, link, status }: v.InferOutput<typeof pageForm>, by: string): PublishedPost => ({
  ...{ external_id: String(id), evidence: `${by}, status ${status}` },
  ...(link === undefined ? {} : { url: link }),
})

function asker(ctx: OwnerContext, base: string, user: string, password: string) {
  const credential = Buffer.from(`${user}:${password}`).toString('base64')
  return <S extends v.GenericSchema>(
    path: string,
    answer: S,
    asked: { readonly what: string; readonly json?: unknown },
  ) =>
    askAddress(ctx, {
      ...{ ...asked, url: `${base}${path}`, answer, faultOf: wordpressFault },
      ...{ headers: { authorization: `Basic ${credential}` }, secrets: [password, credential] },
    })
}

function wordpressFault(answer: AddressAnswer): ServiceFault | null {
  const said = v.safeParse(errorForm, answer.json)
  if (!said.success) return null
  return statusFault(answer, `WordPress refused: ${said.output.message || said.output.code}`)
}
