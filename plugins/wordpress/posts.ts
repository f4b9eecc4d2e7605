import { isServiceFault, type OwnerContext, ServiceFault, statusFault } from 'renown'
import {
  type AddressAnswer,
  askAddress,
  baseAddress,
  isSiteAddress,
  type LookedPosts,
  type OpenTarget,
  type PostTarget,
  postText,
  type ShownPost,
  textOfHtml,
} from 'renown/posts'
import { shownSince } from 'renown/sending'
import * as v from 'valibot'
import { bodyOf, slugOf, titleOf } from './page-text'

const userForm = v.object({
  id: v.pipe(v.number(), v.integer()),
  capabilities: v.optional(v.record(v.string(), v.boolean())),
})
const html = v.nullish(v.object({ raw: v.nullish(v.string()), rendered: v.nullish(v.string()) }))
const pageForm = v.object({
  id: v.pipe(v.number(), v.integer(), v.minValue(1)),
  link: v.nullish(v.string()),
  slug: v.string(),
  status: v.string(),
  date_gmt: v.nullish(v.string()),
  modified_gmt: v.nullish(v.string()),
  content: html,
  password: v.nullish(v.string()),
})
type Page = v.InferOutput<typeof pageForm>
const errorForm = v.object({ code: v.string(), message: v.string() })

/** The pages that one answer lists. */
const pageSize = 50
/** The code of a fault: the website says that there is no such page. */
const noPage = 'rest_post_invalid_id'

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
  proof: {
    states: {
      publish: 'visible',
      pending: 'held',
      draft: 'held',
      private: 'held',
      future: 'held',
      'auto-draft': 'held',
      'publish, with a password': 'held',
      trash: 'rejected',
    },
    source: 'WordPress, Post Status. Plugins add states of their own, such as those of a review by editors',
  },
  rules: {
    postTypes: ['update', 'offer', 'event'],
    textMax: 5_000,
    countedIn: 'characters',
    photosMax: 10,
    videosMax: 0,
  },
  channel: {
    address: { label: 'Address of the website, such as https://example.com' },
    account: { label: 'User name of an author or editor' },
    secret: { label: 'Application password of the user (Users, Profile)' },
    refusal: ({ address }) =>
      isSiteAddress(address) ? null : 'The address of the website must begin with https://.',
  },
  shownText: (post) => untypeset(postText(post)),
  async open(ctx, { channel: { address, account, secret } }): Promise<OpenTarget> {
    const ask = asker(ctx, `${baseAddress(address)}/wp-json/wp/v2`, account, secret.replace(/\s/g, ''))
    const { capabilities } = await ask('/users/me?context=edit', userForm, { what: "WordPress's user" })
    // A page of a contributor would wait for an editor, and nobody would see it.
    if (capabilities && capabilities.publish_posts !== true) {
      throw new ServiceFault('permission', 'The user may not publish posts on this website')
    }
    return {
      async create(post, { key }): Promise<ShownPost> {
        const json = {
          title: titleOf(post),
          content: bodyOf(post),
          slug: slugOf(post, key),
          status: 'publish',
        }
        const page = await ask('/posts', pageForm, { what: "WordPress's answer to the post", json })
        return shownPage(page, '201')
      },
      async read(external_id) {
        try {
          const path = `/posts/${encodeURIComponent(external_id)}?context=edit`
          return shownPage(await ask(path, pageForm, { what: "WordPress's post" }), 'the post')
        } catch (error) {
          if (isServiceFault(error) && error.code === noPage) return null
          throw error
        }
      },
      async look(post, { key, started_at }): Promise<LookedPosts> {
        const slug = slugOf(post, key)
        const list = (query: Record<string, string>) => {
          const search = new URLSearchParams({ ...query, status: 'any', context: 'edit' })
          return ask(`/posts?${search}`, v.array(pageForm), { what: "WordPress's list of posts" })
        }
        const named = (await list({ slug })).filter((one) => one.slug === slug)
        // A page that waits for an editor may have another slug, and so has a second one.
        const after = new Date(shownSince(started_at)).toISOString()
        const query = { after, orderby: 'date', order: 'desc', per_page: String(pageSize) }
        const recent = await list(query).catch((error: unknown) => {
          if (named.length > 0) return null
          throw error
        })
        return {
          shown: [
            ...named.map((one) => shownPage(one, 'the slug')),
            ...(recent ?? []).map((one) => shownPage(one, 'the list of posts')),
          ],
          isWhole: recent !== null && recent.length < pageSize,
        }
      },
    }
  },
}

function shownPage(page: Page, evidence: string): ShownPost {
  const { id, link, status, date_gmt, modified_gmt, content, password } = page
  // A page that nobody sees yet may have no date.
  const at = date_gmt || (status === 'publish' ? undefined : modified_gmt)
  const isHidden = status === 'publish' && (password ?? '') !== ''
  const text = content?.raw ?? content?.rendered ?? undefined
  return {
    external_id: String(id),
    url: link ?? undefined,
    text: text === undefined ? undefined : untypeset(textOfHtml(text)),
    // WordPress leaves out the zone of its times in UTC.
    created_at: at ? `${at.replace(/Z$/, '')}Z` : undefined,
    state: isHidden ? 'publish, with a password' : status,
    evidence: `${evidence}, status ${status}`,
  }
}

/** Returns a text with the plain signs that WordPress replaces when it shows a page. */
const untypeset = (text: string): string =>
  text
    .replace(/[‘’′]/g, "'")
    .replace(/[“”″]/g, '"')
    .replace(/…/g, '...')
    .replace(/[–—]/g, '-')
    .replace(/-{2,3}/g, '-')
    .replace(/×/g, 'x')

function asker(ctx: OwnerContext, base: string, user: string, password: string) {
  const credential = Buffer.from(`${user}:${password}`).toString('base64')
  return <S extends v.GenericSchema>(
    path: string,
    answer: S,
    asked: { readonly what: string; readonly json?: unknown },
  ) =>
    askAddress(ctx, {
      ...asked,
      url: `${base}${path}`,
      answer,
      faultOf: wordpressFault,
      headers: { authorization: `Basic ${credential}` },
      secrets: [password, credential],
    })
}

function wordpressFault(answer: AddressAnswer): ServiceFault | null {
  const said = v.safeParse(errorForm, answer.json)
  if (!said.success) return null
  const words = `WordPress refused: ${said.output.message || said.output.code}`
  if (answer.status === 404 && said.output.code === noPage) {
    return new ServiceFault('permanent', words, { code: noPage })
  }
  return statusFault(answer, words)
}
