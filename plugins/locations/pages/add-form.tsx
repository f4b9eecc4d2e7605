/** @jsxImportSource renown/web */
import type { TypedIdInput } from 'renown/records'
import { Button, Card, Checkbox, Field, Form, Notice, type Outcome, Row, Select } from 'renown/web'
import { listPath } from '../addresses'
import { IdHint } from '../cards/id-hint'
import { Existing, offersTrial } from './refused'

interface AddProps {
  readonly csrf: string
  /** The workspace that the location is added to. */
  readonly outcome: Outcome | null
  readonly isProspect: boolean
  /** Whether all paid locations are in use. */
  readonly isFull: boolean
  /** The ids on platforms that can be typed. */
  readonly ids: readonly TypedIdInput[]
}

export function AddForm({ csrf, outcome, isProspect, isFull, ids }: AddProps) {
  const refused = outcome && !outcome.ok ? outcome : null
  const faults: Readonly<Record<string, string>> = refused?.faults ?? {}
  const first = Object.keys(faults)[0]
  const typedIn = (name: string) => String(refused?.values?.[name] ?? '')
  const field = (name: 'business_name' | 'website' | TypedIdInput['field']) => ({
    name,
    value: typedIn(name),
    error: faults[name],
    autofocus: first === name,
    autocomplete: 'off',
  })
  return (
    <Card
      title="Add a location"
      about={
        <>
          Those of an account on a platform are added under{' '}
          <a href="/app/settings/connections">Connections</a>.
        </>
      }
    >
      {refused && (
        <Notice tone="bad" title="It was not added">
          <bdi>{refused.fault}</bdi> <Existing of={refused} />
        </Notice>
      )}
      <Form action={listPath} csrf={csrf} label="Add a location">
        <Field {...field('business_name')} label="Name" maxlength={300} />
        <Field {...field('website')} label="Website" inputmode="url" placeholder="example.com" optional />
        {ids.map(({ field: name, label, hint, finder }) => (
          <Field
            key={name}
            {...field(name)}
            label={label}
            hint={<IdHint hint={hint} finder={finder} />}
            maxlength={300}
            optional
          />
        ))}
        <Select
          name="prospect"
          label="It is"
          options={[
            ['no', 'a client: Renown starts at once'],
            ['yes', 'a prospect: Renown only audits it'],
          ]}
          value={typedIn('prospect') || (isProspect ? 'yes' : 'no')}
        />
        {(isFull || offersTrial(refused)) && (
          <Checkbox
            name="trial"
            label="Start with a trial"
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
