/** @jsxImportSource renown/web */
import {
  Button,
  Card,
  Checkbox,
  CopyField,
  Facts,
  Field,
  Form,
  formatCount,
  formatDay,
  Halves,
  Notice,
  type PageProps,
  Row,
} from 'renown/web'
import type { ReportData } from './report-page'
import type { ShownShare } from './shown-share'

/** The share dialog of a report: its link, password and last day. */
export function ShareCard(props: PageProps<ReportData>) {
  const { data, csrf } = props
  const { share } = data
  const action = (name: string) => ({
    action: `/app/reports/one/${name}`,
    csrf,
    hidden: { report: data.id, id: data.id, back: `/app/reports/one?report=${data.id}` },
  })
  if (!share) {
    return (
      <Card title="Share" about="Everybody with the link can read the report, without an account.">
        <Form {...action('share')} label="Share the report">
          <Choices {...props} name="share" />
          <Row>
            <Button kind="plain">Share the report</Button>
          </Row>
        </Form>
      </Card>
    )
  }
  return (
    <Card title="Share" about={aboutOf(share)}>
      {share.is_expired && (
        <Notice tone="warn" title="The link has expired">
          It answers 404 now. Choose a later last day, or make a new link.
        </Notice>
      )}
      <CopyField name="share-link" label="Link" value={share.address} />
      <Facts
        of={[
          ['Opened', formatCount(share.views, 'time')],
          ['Password', share.has_password ? 'set' : 'none'],
          ['Last day', share.last_day === null ? 'none' : formatDay(share.last_day)],
        ]}
      />
      <details class="fold" open={refusedOf(props, 'change-share') !== null}>
        <summary>Change the password or the last day</summary>
        <Form {...action('change-share')} label="Change the link">
          <Choices {...props} name="change-share" />
          <Row>
            <Button kind="plain">Save</Button>
          </Row>
        </Form>
      </details>
      <Row>
        <Form {...action('new-link')} inline label="New link">
          <Button kind="plain">Make a new link</Button>
        </Form>
        <Form {...action('unshare')} inline label="Stop sharing">
          <Button kind="danger">Stop sharing</Button>
        </Form>
      </Row>
    </Card>
  )
}

const aboutOf = ({ has_password }: ShownShare) =>
  has_password
    ? 'Everybody with the link and the password can read the report, without an account.'
    : 'Everybody with the link can read the report, without an account.'

const refusedOf = ({ outcome }: PageProps<ReportData>, name: string) =>
  outcome && !outcome.ok && outcome.action === name ? outcome : null

function Choices(props: PageProps<ReportData> & { readonly name: string }) {
  const { share } = props.data
  const refused = refusedOf(props, props.name)
  const typed = refused?.values?.last_day
  return (
    <>
      <Halves>
        <Field
          name="password"
          label={share?.has_password ? 'New password' : 'Password'}
          type="password"
          hint={share?.has_password ? 'Leave it empty to keep the password.' : 'At least 8 characters.'}
          error={refused?.faults?.password}
          autocomplete="new-password"
          optional
        />
        <Field
          name="last_day"
          label="Last day"
          type="date"
          value={typeof typed === 'string' ? typed : (share?.last_day ?? '')}
          hint="After this day, the link answers 404."
          error={refused?.faults?.last_day}
          optional
        />
      </Halves>
      {share?.has_password && <Checkbox name="no_password" label="Remove the password" />}
    </>
  )
}
