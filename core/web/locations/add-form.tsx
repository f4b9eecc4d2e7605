/** @jsxImportSource ../jsx */

import { runCommand } from '../../contexts/run-command'
import { isRefusal } from '../../contracts/errors'
import type { SignedIn } from '../define-page'
import { Button, Card, Checkbox, Field, Form, Notice, Row, Select } from '../kit'
import { asPerson } from '../parts/done-by'
import type { Place } from '../places'
import { type LocationDeps, listPath } from './location-deps'
import { Existing, type Outcome, outcomeOf } from './outcome'

/** What was sent and cannot be taken; nothing of it at first. */
export interface Typed {
  readonly name: string
  readonly website: string
  readonly google_place_id: string
  readonly kind: 'client' | 'prospect' | ''
  readonly faults: Readonly<Record<string, string>>
  /** What is wrong with all of it. */
  readonly refused?: Pick<Outcome, 'fault' | 'existing' | 'offersTrial'>
}

export const untyped: Typed = { name: '', website: '', google_place_id: '', kind: '', faults: {} }

/** Adds what the form says, or answers what is wrong with it. */
export async function addLocation(
  deps: LocationDeps,
  visit: SignedIn,
  place: Place,
): Promise<{ readonly id: string } | { readonly typed: Typed }> {
  const { form } = visit
  const [name, website, google_place_id] = [
    form.get('name'),
    form.get('website'),
    form.get('google_place_id'),
  ]
  const kind = form.get('kind') === 'prospect' ? 'prospect' : 'client'
  try {
    const own = { ...deps, owner: asPerson(deps.owner, visit) }
    const made = await runCommand(own, 'location create', {
      business_name: name,
      workspace_id: place.id,
      ...(website.trim() === '' ? {} : { website }),
      ...(google_place_id.trim() === '' ? {} : { google_place_id: google_place_id.trim() }),
      ...(kind === 'prospect' ? { prospect: true } : {}),
      ...(form.get('trial') === 'yes' ? { trial: true } : {}),
    })
    return { id: String(made.location_id) }
  } catch (error) {
    if (!isRefusal(error) || error.status >= 500) throw error
    const refused = outcomeOf('add', form, error)
    const { business_name, ...others } = refused.faults
    const faults = { ...(business_name === undefined ? {} : { name: business_name }), ...others }
    return { typed: { name, website, google_place_id, kind, faults, refused } }
  }
}

const placeIdFinder = 'https://developers.google.com/maps/documentation/places/web-service/place-id#find-id'

interface AddProps {
  readonly csrf: string
  /** The workspace that it is added to. */
  readonly of: string
  readonly typed: Typed
  readonly prospects: boolean
  /** All that is paid for is in use. */
  readonly isFull: boolean
}

export function AddForm({ csrf, of, typed, prospects, isFull }: AddProps) {
  const { faults, refused } = typed
  const first = Object.keys(faults)[0]
  const field = (name: 'name' | 'website' | 'google_place_id') => ({
    name,
    value: typed[name],
    error: faults[name],
    autofocus: first === name,
    autocomplete: 'off',
  })
  return (
    <Card
      title="Add a location"
      about={
        <>
          Those of a Google account or of Facebook are added under{' '}
          <a href="/app/settings/connections">Connections</a>.
        </>
      }
    >
      {refused && (
        <Notice tone="bad" title="It was not added">
          <bdi>{refused.fault}</bdi> <Existing id={refused.existing} />
        </Notice>
      )}
      <Form action={listPath} csrf={csrf} hidden={{ of }} label="Add a location">
        <Field {...field('name')} label="Name" maxlength={300} />
        <Field {...field('website')} label="Website" inputmode="url" placeholder="example.com" optional />
        <Field
          {...field('google_place_id')}
          label="Google place id"
          hint={
            <>
              Its reviews on Google are read by it. Search for the business in{' '}
              <a href={placeIdFinder} rel="noopener noreferrer">
                Google's Place ID Finder
              </a>
              , and copy what begins with ChIJ.
            </>
          }
          maxlength={300}
          optional
        />
        <Select
          name="kind"
          label="It is"
          options={[
            ['client', 'a client, worked on at once'],
            ['prospect', 'a prospect, only looked at'],
          ]}
          value={typed.kind || (prospects ? 'prospect' : 'client')}
        />
        {(isFull || refused?.offersTrial) && (
          <Checkbox
            name="trial"
            label="Begin with a trial"
            hint="All paid locations are in use. A client may be added beyond them on a trial, once."
            error={faults.trial}
          />
        )}
        <Row>
          <Button>Add the location</Button>
        </Row>
      </Form>
    </Card>
  )
}
