/** @jsxImportSource renown/web */
import { Button, Card, Checkbox, Field, Form, Notice, Row, Select, TextArea } from 'renown/web'
import type { SourceChoice } from './source-choices'

type Values = Readonly<Record<string, string | readonly string[]>>

/** The form of a tracker. */
export interface TrackerFormProps {
  readonly action: string
  /** Where the preview is, for browsers without a script. */
  readonly preview: string
  readonly csrf: string
  readonly hidden: Readonly<Record<string, string>>
  readonly values: Values
  readonly faults: Readonly<Record<string, string>>
  /** Why it was not saved. Null if it was not refused. */
  readonly fault: string | null
  readonly sources: readonly SourceChoice[]
  /** The locations to choose from. Empty for a stored tracker, which keeps its location. */
  readonly locations: readonly (readonly [id: string, name: string])[]
}

const textIn = (values: Values, name: string): string => [values[name] ?? ''].flat()[0] ?? ''

/** The fields of a tracker, its button, and a button for a preview without a script. */
export function TrackerFields(props: TrackerFormProps) {
  const { values, faults, locations } = props
  const text = (name: string) => ({ name, value: textIn(values, name), error: faults[name] })
  return (
    <Form action={props.action} csrf={props.csrf} hidden={props.hidden} label="Tracker">
      {props.fault !== null && (
        <Notice tone="bad" title="The tracker was not saved">
          {props.fault}
        </Notice>
      )}
      <Card title="What to look for">
        {locations.length > 0 && (
          <Select
            name="location_id"
            label="Location"
            options={locations}
            value={textIn(values, 'location_id')}
            error={faults.location_id}
          />
        )}
        <Field {...text('name')} label="Name of the tracker" maxlength={120} autocomplete="off" />
        <TextArea
          {...text('keywords')}
          label="Keywords"
          hint={
            <>
              One on each line. A post that matches one of them is a mention. Write <code>"blue bottle"</code>{' '}
              for an exact phrase, <code>acme NOT zoo</code>, <code>boiler NEAR/5 leak</code> or{' '}
              <code>cafe OR bakery</code>.
            </>
          }
          rows={4}
        />
        <TextArea
          {...text('exclude')}
          label="Excluded keywords"
          hint="One on each line. Posts that match one of them are left out."
          rows={2}
          optional
        />
        <TextArea
          {...text('required')}
          label="Required keywords"
          hint="One on each line. A post must match all of them too. They hide many posts about small brands."
          rows={2}
          optional
        />
        <Field
          {...text('languages')}
          label="Languages"
          hint="Codes such as en, de. Empty: all."
          autocomplete="off"
          optional
        />
      </Card>
      <Card title="Where to look" about="Nothing selected: everywhere that Renown can search.">
        <Sources {...props} />
        <TextArea
          {...text('feeds')}
          label="Feeds"
          hint="Addresses of RSS, Atom, JSON Feed or Google Alerts, one on each line."
          rows={2}
          optional
        />
      </Card>
      <Row>
        <Button>Save tracker</Button>
        <Button kind="plain" action={props.preview}>
          Preview
        </Button>
      </Row>
    </Form>
  )
}

function Sources({ sources, values, faults }: TrackerFormProps) {
  const chosen = [values.sources ?? []].flat()
  return (
    <fieldset class="source-boxes">
      <legend>Sources</legend>
      {sources.map(({ channel, label, needs }) => (
        <Checkbox
          key={channel}
          name="sources"
          value={channel}
          label={label}
          hint={needs === null ? undefined : `Needs ${needs}.`}
          checked={chosen.includes(channel)}
          error={faults.sources}
        />
      ))}
    </fieldset>
  )
}
