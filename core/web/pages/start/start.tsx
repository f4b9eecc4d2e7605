/** @jsxImportSource ../../kit/jsx */
import * as v from 'valibot'
import { isRefusal, type Refusal } from '../../../contracts/errors'
import { typedName } from '../../../contracts/typed-name'
import { normaliseDomain } from '../../../kit/bare-domain'
import { madeUp } from '../../../tenancy/made-up'
import { User } from '../../../tenancy/User'
import { asPerson } from '../../framework/done-by'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { Button, Card, Field, Form, Head, Row, Select } from '../../kit/parts/kit'
import { zones } from '../../kit/parts/zones'
import { installStepPages } from './install-steps'
import { type Names, type NamesDeps, type NamingState, nameThings, namingStateOf } from './naming'
import type { StartDeps } from './start-deps'
import { steps } from './steps'

export const startPath = '/app/start'
const skipPath = '/app/start/skip'

type Faults = Partial<Record<keyof Names, string>>

const form = v.object({
  workspace: typedName('Name of the workspace', { empty: 'Enter a name for the workspace.' }),
  business: typedName('Name of the business', { empty: 'Enter a name for the business.' }),
  website: v.pipe(
    v.string(),
    v.trim(),
    v.transform((typed) => normaliseDomain(typed) ?? typed),
  ),
  timezone: v.pipe(v.string(), v.check(isZone, 'Choose a time zone from the list.')),
})

/** The first steps: names, then the tag, the address and the key. Only while they are unfinished. */
export const startPages = (deps: StartDeps): Route[] => [
  defineRoute({
    path: startPath,
    method: 'GET',
    auth: 'session',
    only: 'owner',
    async handle(visit) {
      const standing = await ownStanding(deps, visit)
      return standing ? ask(deps, visit, standing, begun(standing)) : visit.redirect('/app')
    },
  }),
  defineRoute({
    path: startPath,
    method: 'POST',
    auth: 'session',
    only: 'owner',
    async handle(visit) {
      const standing = await ownStanding(deps, visit)
      if (!standing) return visit.redirect('/app')
      const typed = typedIn(visit)
      const parsed = v.safeParse(form, typed)
      if (!parsed.success) {
        const faults = parsed.issues.map(({ path, message }) => [String(path?.[0]?.key), message])
        const ofFields: Faults = Object.fromEntries(faults.toReversed())
        // An empty workspace gets the name of the business, so an error belongs to the business field.
        if (visit.form.get('workspace').trim() === '') delete ofFields.workspace
        return ask(deps, visit, standing, typed, ofFields)
      }
      try {
        await nameThings({ ...deps, owner: asPerson(deps.owner, visit) }, standing, parsed.output)
      } catch (error) {
        if (!isRefusal(error)) throw error
        return ask(deps, visit, standing, typed, { website: websiteFault(error) })
      }
      return visit.redirect(`${startPath}/take`)
    },
  }),
  defineRoute({
    path: skipPath,
    method: 'POST',
    auth: 'session',
    only: 'owner',
    back: startPath,
    async handle({ person, redirect }) {
      await deps.owner.rows(User).update(person.id, { skipped_start: true })
      return redirect('/app')
    },
  }),
  ...installStepPages(deps, ownStanding),
]

/**
 * Whether to redirect people here, once after their first sign-in. The home page offers the steps that they
 * skipped.
 */
export async function isStartDue(deps: NamesDeps, { person, place }: SignedIn): Promise<boolean> {
  if (person.skipped_start || person.role !== 'owner' || place?.is_demo) return false
  return (await namingStateOf(deps, person.agency_id))?.isMadeUp === true
}

const ownStanding = (deps: NamesDeps, { person }: SignedIn) => namingStateOf(deps, person.agency_id)

const begun = ({ workspace, location, site, isMadeUp }: NamingState): Names => ({
  workspace: isMadeUp ? '' : workspace.name,
  business: location && location.name !== madeUp.location ? location.name : '',
  website: site && site.domain !== madeUp.domain ? site.domain : '',
  timezone: workspace.timezone,
})

const typedIn = ({ form: sent }: SignedIn): Names => ({
  workspace: sent.get('workspace').trim() || sent.get('business'),
  business: sent.get('business'),
  website: sent.get('website'),
  timezone: sent.get('timezone') || 'UTC',
})

async function ask(
  { places }: StartDeps,
  visit: SignedIn,
  standing: NamingState,
  names: Names,
  faults: Faults = {},
): Promise<Response> {
  const maySeeDemo = await places.maySeeDemo(visit.person)
  const isFaulty = Object.keys(faults).length > 0
  const title = 'Name your workspace and business'
  const first = (Object.keys(faults)[0] ?? 'business') as keyof Names
  return visit.page({
    title: isFaulty ? `Error: ${title}` : title,
    status: isFaulty ? 422 : 200,
    copies: true,
    children: (
      <Card>
        {steps(1)}
        <Head title={title}>Three names, and you are done. You can change all of them later.</Head>
        <Form action={startPath} csrf={visit.csrf} label={title}>
          <Field
            name="business"
            label="Business"
            hint="The name that its customers know."
            value={names.business}
            error={faults.business}
            autocomplete="organization"
            autofocus={first === 'business'}
            maxlength={200}
          />
          <Field
            name="website"
            label="Website"
            hint="Its domain, such as example.com. Renown counts AI agents there."
            value={names.website}
            error={faults.website}
            inputmode="url"
            autocomplete="url"
            placeholder="example.com"
            autofocus={first === 'website'}
            optional
          />
          <Field
            name="workspace"
            label="Workspace"
            hint="A group of locations and sites. If empty, it gets the name of the business."
            value={names.workspace}
            error={faults.workspace}
            autocomplete="off"
            maxlength={200}
            optional
          />
          <Select
            name="timezone"
            label="Time zone"
            hint="Days in figures start at midnight there."
            options={zones}
            value={names.timezone}
            error={faults.timezone}
            ownZone={standing.isMadeUp && !isFaulty}
          />
          <Button whole>Continue</Button>
        </Form>
        <Row align="apart">
          <Form action={skipPath} csrf={visit.csrf} label="Skip" inline>
            <Button kind="quiet">Skip for now</Button>
          </Form>
          {maySeeDemo && (
            <Form action="/app/demo" csrf={visit.csrf} label="Demo" inline>
              <Button kind="quiet">View a demo first</Button>
            </Form>
          )}
        </Row>
      </Card>
    ),
  })
}

const known = new Set(zones)

function isZone(zone: string): boolean {
  return known.has(zone)
}

const websiteFault = ({ message, code, details }: Refusal) =>
  code !== 'conflict' && details.errors?.[0] ? 'Enter a domain such as example.com.' : message
