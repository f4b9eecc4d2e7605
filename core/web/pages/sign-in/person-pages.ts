import { cookieOf, noCookie, readCookie } from '../../../auth/cookies'
import type { OAuth } from '../../../auth/oauth'
import type { createOwnerLinks } from '../../../auth/people/owner-link'
import type { People } from '../../../auth/people/people'
import type { createSteps } from '../../../auth/people/steps'
import type { Person, Sessions } from '../../../auth/sessions'
import type { Audit } from '../../../tenancy/audit/audit'
import type { AuditAction } from '../../../tenancy/audit/audit-actions'
import { preferredLanguage } from '../../framework/language'
import type { SignedIn, Visit } from '../../framework/route'

/** The audit events about a person. */
type PersonAction = AuditAction extends infer A ? (A extends `person.${infer Verb}` ? Verb : never) : never

/** The dependencies of the pages for people. */
export interface PersonPageDeps {
  readonly people: People
  readonly sessions: Sessions
  readonly steps: ReturnType<typeof createSteps>
  readonly links: ReturnType<typeof createOwnerLinks>
  readonly audit: Audit
  /** The connected apps of people. */
  readonly oauth: Pick<OAuth, 'disconnectAllOf'>
}

/** Returns the browser and the address of an attempt to sign in. */
export const callerOf = ({ request, host, state }: Visit) => ({
  browser: readCookie(request, 'browser', host),
  address: state.address(),
})

/** Records an action of a person in the audit log. */
export const note = (
  { audit }: PersonPageDeps,
  { host }: Visit,
  { id, agency_id }: Person,
  action: PersonAction,
  outcome?: 'refused',
): Promise<void> =>
  audit.record({ agency_id, user_id: id, action: `person.${action}`, host: host.origin, outcome })

const browserSeconds = 400 * 24 * 60 * 60

/** Returns the Set-Cookie header that recognizes this browser later. */
export async function markOf(
  { people }: PersonPageDeps,
  { host, request }: Visit,
  person: Person,
): Promise<string> {
  const mark = await people.remember(person, readCookie(request, 'browser', host))
  return cookieOf('browser', mark, host, browserSeconds)
}

/** Signs a person in after all steps, and redirects them. */
export async function enter(
  deps: PersonPageDeps,
  visit: Visit,
  person: Person,
  next: string,
  how: PersonAction,
) {
  const { host, request, redirect } = visit
  const mark = await markOf(deps, visit, person)
  await keepLanguage(deps, request, person)
  const { cookie } = await deps.sessions.start(person, host, request)
  await note(deps, visit, person, how)
  return redirect(next, [cookie, mark, noCookie('visit', host)])
}

/** Saves the language that the browser prefers, if the person has none yet. The person can choose another one later. */
async function keepLanguage({ people }: PersonPageDeps, request: Request, person: Person): Promise<void> {
  if (person.language !== undefined) return
  const language = preferredLanguage(request.headers.get('accept-language'))
  if (language !== null) await people.setPreferences(person, { language })
}

/** Checks a password that was entered again. Returns null, or why it was rejected. */
export async function ownPasswordFault(deps: PersonPageDeps, visit: SignedIn, typed: string) {
  const { person, session } = visit
  const outcome = await deps.people.checkOwnPassword(person, typed, session.id)
  if (outcome.was === 'right') return null
  await note(deps, visit, person, 'confirm', 'refused')
  return outcome.was === 'wrong' ? 'This is not your password.' : tooManyAttemptsText(outcome.waitSeconds)
}

/** Returns a text that says how long to wait. */
export function tooManyAttemptsText(seconds: number): string {
  const wait = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
  return `Too many attempts. Wait ${wait}, then try again.`
}
