import { minuteMs, type OwnerContext, type ServiceFault, statusFault, unreadable } from 'renown'
import {
  type AddressAnswer,
  askAddress,
  type OpenTarget,
  type PostTarget,
  type PublishedPost,
  postText,
} from 'renown/posts'
import * as v from 'valibot'
import { linkedinSettings } from './settings'

const pageSize = 50
const clockMs = 5 * minuteMs
const organization = /^urn:li:organization:\d{1,20}$/

const postForm = v.object({
  id: v.pipe(v.string(), v.startsWith('urn:li:')),
  commentary: v.string(),
  createdAt: v.pipe(v.number(), v.integer()),
  lifecycleState: v.optional(v.string()),
})
const listForm = v.object({ elements: v.array(postForm) })
const madeForm = v.object({ id: v.pipe(v.string(), v.startsWith('urn:li:')) })
const errorForm = v.object({ message: v.string(), status: v.optional(v.number()) })

/** Characters with a meaning in LinkedIn's texts. Without a backslash before them, LinkedIn cuts the text. */
const escaped = (text: string) => text.replace(/[\\|{}@[\]()<>#*_~]/g, (sign) => `\\${sign}`)
const commentaryOf: NonNullable<PostTarget['rules']['textOf']> = (post) => escaped(postText(post))

/**
 * Posts of an organization on LinkedIn, with an access token of a person who manages it. LinkedIn recognizes no keys. A
 * post is found again in the list of the organization.
 */
export const linkedinPosts: PostTarget = {
  name: 'linkedin',
  platform: 'linkedin',
  label: 'LinkedIn',
  order: 80,
  perHour: 20,
  rules: {
    ...{ postTypes: ['update', 'offer', 'event'], textMax: 3_000, countedIn: 'characters' },
    ...{ photosMax: 0, videosMax: 0, textOf: commentaryOf },
  },
  channel: {
    account: { label: 'Organization, such as urn:li:organization:123' },
    secret: { label: 'Access token with the scopes w_organization_social and r_organization_social' },
    refusal: ({ account }) =>
      organization.test(account) ? null : 'The account must look like urn:li:organization:123.',
  },
  async open(ctx, { channel: { account, secret } }): Promise<OpenTarget> {
    const ask = asker(ctx, secret)
    return {
      async create(post) {
        const { id } = await ask('/rest/posts', madeForm, {
          ...{ what: "LinkedIn's answer to the post", json: postOf(account, commentaryOf(post)) },
          // The id comes in a header, and the body is empty.
          readValue: ({ headers }) => ({ id: headers.get('x-restli-id') ?? undefined }),
        })
        return published(id, '201')
      },
      async look(post, { started_at, others }) {
        const query = new URLSearchParams({ author: account, q: 'author', count: String(pageSize) })
        const { elements } = await ask(`/rest/posts?${query}`, listForm, {
          ...{ what: "LinkedIn's list of posts", headers: { 'x-restli-method': 'FINDER' } },
        })
        const since = Date.parse(started_at) - clockMs
        const recent = elements.filter(({ createdAt }) => createdAt >= since)
        const text = commentaryOf(post)
        const found = recent.find(({ id, commentary }) => commentary === text && !others.has(id))
        if (found) return published(found.id, 'the list of the organization')
        if (recent.length < pageSize) return null
        throw unreadable("LinkedIn's list of posts", 'it does not reach back to the attempt')
      },
    }
  },
}

const postOf = (author: string, commentary: string) => ({
  ...{
    author,
    commentary,
    visibility: 'PUBLIC',
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
  },
  distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
})

const published = (external_id: string, evidence: string): PublishedPost => ({
  ...{
    external_id,
    evidence,
    url: `https://www.linkedin.com/feed/update/${encodeURIComponent(external_id)}`,
  },
})

interface Asked {
  readonly what: string
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly readValue?: (answer: AddressAnswer) => unknown
}

function asker(ctx: OwnerContext, token: string) {
  const { LINKEDIN_URL: base, LINKEDIN_VERSION: version } = linkedinSettings.of(ctx)
  return <S extends v.GenericSchema>(path: string, answer: S, { headers, ...asked }: Asked) =>
    askAddress(ctx, {
      ...{ ...asked, url: `${base}${path}`, answer, faultOf: linkedinFault, secrets: [token] },
      headers: {
        ...{ authorization: `Bearer ${token}`, 'linkedin-version': version },
        ...{ 'x-restli-protocol-version': '2.0.0', ...headers },
      },
    })
}

function linkedinFault(answer: AddressAnswer): ServiceFault | null {
  const said = v.safeParse(errorForm, answer.json)
  return said.success ? statusFault(answer, `LinkedIn refused: ${said.output.message}`) : null
}
