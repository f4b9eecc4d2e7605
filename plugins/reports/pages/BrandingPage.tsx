/** @jsxImportSource renown/web */
import { Button, Card, Checkbox, Field, Form, Halves, Head, Notice, type PageProps, Row } from 'renown/web'
import { ReportView } from '../html/report-view'
import type { BrandingData } from './branding-page'

/** How the reports of the agency look: a form, and a sample. */
export default function BrandingPage({ data, csrf, outcome, notice, path }: PageProps<BrandingData>) {
  const refused = outcome && !outcome.ok ? outcome : null
  const typed = (name: 'sender_name' | 'color' | 'color_dark') => {
    const value = refused?.values?.[name]
    return typeof value === 'string' ? value : data[name]
  }
  const fault = (name: string) => refused?.faults?.[name]
  return (
    <>
      <Head title="Branding">Reports that are made from now on have this logo, color and sender.</Head>
      {notice !== null && <Notice tone="good">{notice}</Notice>}
      {refused && (
        <Notice tone="bad" title="The branding was not saved">
          {refused.fault}
        </Notice>
      )}
      <Card>
        <Form action={path} csrf={csrf} label="Branding" sendsFile>
          <Field
            name="sender_name"
            label="Sender"
            value={typed('sender_name')}
            placeholder={data.agency}
            hint="Leave it empty for the name of your agency."
            error={fault('sender_name')}
            maxlength={200}
            autocomplete="organization"
            optional
          />
          <Field
            name="logo"
            label={data.logo === null ? 'Logo' : 'New logo'}
            type="file"
            accept="image/png,image/jpeg"
            hint="PNG or JPEG, at most 200 KB, 16 to 2,000 pixels on each side. Renown keeps only its pixels. SVG is not accepted."
            error={fault('logo')}
            optional
          />
          {data.logo !== null && <Checkbox name="no_logo" label="Remove the logo" />}
          <Halves>
            <Field
              name="color"
              label="Color"
              value={typed('color')}
              placeholder="#0f766e"
              hint="For headings on white. It needs a contrast of 4.5:1."
              error={fault('color')}
              autocomplete="off"
              code
              optional
            />
            <Field
              name="color_dark"
              label="Color on dark pages"
              value={typed('color_dark')}
              placeholder="#2dd4bf"
              hint="For readers whose device is in dark mode."
              error={fault('color_dark')}
              autocomplete="off"
              code
              optional
            />
          </Halves>
          <Checkbox
            name="shows_renown"
            label="Say “Made with Renown” at the end"
            checked={refused ? refused.values?.shows_renown === 'yes' : data.shows_renown}
          />
          <p class="hint">
            Links of reports begin with {data.origin}.{' '}
            {!data.has_domain && <a href="/app/domains">Use your own domain</a>}
          </p>
          {data.may_change && (
            <Row>
              <Button>Save</Button>
            </Row>
          )}
        </Form>
      </Card>
      <Card title="How a report looks">
        <ReportView tree={data.sample} hasAccount={false} isPreview logo={data.logo} />
      </Card>
    </>
  )
}
