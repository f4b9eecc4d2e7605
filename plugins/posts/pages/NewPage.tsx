/** @jsxImportSource renown/web */
import {
  Button,
  ButtonLink,
  Card,
  Checkbox,
  Empty,
  Fault,
  Form,
  Head,
  Notice,
  type PageProps,
  Row,
  Select,
} from 'renown/web'
import { ContentInputs } from './content-inputs'
import type { NewData } from './new-page'

const path = '/app/posts/new'

/** The form for a new post. It becomes a draft for each chosen target. */
export default function NewPage({ data, csrf, outcome, workspace }: PageProps<NewData>) {
  const { locations, platforms } = data
  const { locale: language } = workspace
  const faults = outcome?.faults ?? {}
  const typed = outcome?.values?.platforms
  const chosen = typed === undefined ? [] : [typed].flat()
  const location = outcome?.values?.location
  if (locations.length === 0) {
    return (
      <>
        <Head title="New post" />
        <Empty
          text="Add a business location first. A post belongs to one location."
          action={<ButtonLink href="/app/locations">Add a location</ButtonLink>}
        />
      </>
    )
  }
  const none = {
    text: '',
    language,
    type: 'update',
    button: '',
    link: '',
    photo: '',
    event: '',
    starts: '',
  }
  return (
    <>
      <Head title="New post">It becomes a draft. Nothing is published until you schedule it.</Head>
      {outcome?.ok === false && (
        <Notice tone="bad" title="Nothing was saved">
          <p>{outcome.fault}</p>
        </Notice>
      )}
      <Card>
        <Form action={path} csrf={csrf} label="New post">
          <Select
            name="location"
            label="Location"
            options={locations}
            value={typeof location === 'string' ? location : data.location}
            error={faults.location}
          />
          <fieldset aria-describedby={faults.platforms ? 'platforms-error' : undefined}>
            <legend>Targets</legend>
            {platforms.map(([name, label]) => (
              <Checkbox
                key={name}
                name="platforms"
                value={name}
                label={label}
                checked={chosen.includes(name)}
                faultId={faults.platforms ? 'platforms-error' : undefined}
              />
            ))}
            {faults.platforms && <Fault id="platforms-error">{faults.platforms}</Fault>}
          </fieldset>
          <ContentInputs values={{ ...none, ends: '', coupon: '', terms: '' }} outcome={outcome} />
          <Row>
            <Button>Save draft</Button>
          </Row>
        </Form>
      </Card>
    </>
  )
}
