import type { RunningProduct } from './product'
import { createVisitor, type Visitor } from './visitor'

/** What is said on the consent page; everything that was asked for, where nothing is said. */
export interface Decision {
  readonly deny?: true
  readonly readOnly?: true
  /** This one alone; every workspace of the agency where it is left out. */
  readonly workspace?: string
}

/** An owner who is signed in at one host of a product. */
export interface SignedInPerson {
  readonly visitor: Visitor
  /** Answers an app's question, and says where the browser is sent afterwards. */
  decide(question: string | URL, decision?: Decision): Promise<URL>
}

export const ownerEmail = 'owner@example.com'
export const ownerPassword = 'three words of hers'

/** Signs the owner in by the one-time link of the first start, which is where a password is chosen. */
export async function signIn({ facts }: RunningProduct): Promise<SignedInPerson> {
  const visitor = createVisitor(fetch, facts.api_url)
  await visitor.open(pathOf(facts.owner_link))
  await visitor.submit('/app/link')
  const password = { password: ownerPassword, again: ownerPassword }
  const { status, text } = await visitor.submit('/app/welcome', { email: ownerEmail, ...password })
  if (status !== 200) throw new Error(`The owner is not let in: ${text}`)
  return personOf(visitor)
}

/** Signs the owner in by that password at another host, asked through what brings requests there. */
export async function signInAt(
  origin: string,
  ask: (request: Request) => Promise<Response>,
): Promise<SignedInPerson> {
  const visitor = createVisitor(ask, origin)
  await visitor.open('/app/sign-in')
  const { status, text } = await visitor.submit('/app/sign-in', {
    email: ownerEmail,
    password: ownerPassword,
  })
  if (status !== 200 || text.includes('Sign in')) throw new Error(`The owner is not let in: ${text}`)
  return personOf(visitor)
}

const personOf = (visitor: Visitor): SignedInPerson => ({
  visitor,
  async decide(question, { deny, readOnly, workspace } = {}) {
    const asked = await visitor.open(pathOf(question))
    const back = /href="([^"]+)"[^>]*>Go back to the app</.exec(asked.html)?.[1]
    if (back !== undefined) return new URL(back.replaceAll('&amp;', '&'))
    const answer = await visitor.submit('/oauth/consent', {
      decision: deny ? 'deny' : 'allow',
      ...(readOnly ? {} : { write: 'yes' }),
      ...(workspace ? { workspace } : { all: 'yes' }),
    })
    if (answer.status !== 303) throw new Error(`The app gets no answer: ${answer.text}`)
    return elsewhere(answer.headers)
  },
})

const elsewhere = (headers: Headers) => new URL(headers.get('location') ?? '')

function pathOf(url: string | URL): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}
