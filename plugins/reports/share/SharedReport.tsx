/** @jsxImportSource renown/web */
import { Button, ButtonLink, Card, Field, Form, Head, type PublicPageProps, Row } from 'renown/web'
import { ReportView } from '../html/report-view'
import type { SharedData } from './shared-report'

/** A shared report, or the question for its password. */
export default function SharedReport(props: PublicPageProps<SharedData>) {
  const { tree, pdf_url, forms, logo } = props.data
  if (!tree) return <Locked {...props} />
  return (
    <Card>
      <Row align="end">
        {pdf_url !== null && <ButtonLink href={pdf_url}>PDF</ButtonLink>}
        {forms.map(({ label, href }) => (
          <ButtonLink key={label} kind="quiet" href={href}>
            {label}
          </ButtonLink>
        ))}
      </Row>
      <ReportView tree={tree} hasAccount={false} logo={logo} />
    </Card>
  )
}

const Locked = ({ path, outcome }: PublicPageProps<SharedData>) => (
  <Card>
    <Head title="This report has a password">Ask the person who sent you the link for it.</Head>
    <Form action={path} csrf="" label="Open the report">
      <Field
        name="password"
        label="Password"
        type="password"
        error={outcome?.faults?.password ?? outcome?.fault}
        autocomplete="current-password"
        autofocus
      />
      <Row>
        <Button>Open the report</Button>
      </Row>
    </Form>
  </Card>
)
