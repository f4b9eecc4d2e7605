import { docsStyle } from './docs-style'
import { type Guide, guidesByReader } from './guides'

const style = `${docsStyle}
.guide h1{margin:1.5rem 0 1rem}
.guide li{margin:.25rem 0}
.guide a{text-decoration:underline}
.guide .scroll{overflow-x:auto;margin:1rem 0}
.guide table{border-collapse:collapse;font-size:.92rem}
.guide th,.guide td{border:1px solid var(--line);padding:.4rem .7rem;text-align:left;vertical-align:top}
.guide th{background:var(--soft)}
.guide td code{overflow-wrap:break-word}`
const digest = new Bun.CryptoHasher('sha256').update(style).digest('base64')

/** The pages have no script and make no requests. */
export const guidePolicy = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
}

/** Name of the list of all documents. */
export const guideList = 'guides'

/** Returns the list of all documents as Markdown, with links that work beside the documents. */
export function guideListText(): string {
  const groups = [...guidesByReader()].map(([reader, all]) => {
    const lines = all.map(
      ({ name, title, summary }) => `- [${title}](${name}.md)${summary && `: ${summary}`}`,
    )
    return `## ${reader === 'Optional' ? 'For operators and contributors' : reader}\n\n${lines.join('\n')}\n`
  })
  return `# Guides\n\nThe documents of Renown. The [API reference](../docs.md) describes this installation.\n\n${groups.join('\n')}`
}

/** Returns a document as a page. `depth` is how many folders it is below `/docs`. */
export function guidePage({ name, title, text }: Omit<Guide, 'summary'>): string {
  const up = '../'.repeat(name.split('/').length - 1)
  const file = name.slice(name.lastIndexOf('/') + 1)
  const body = Bun.markdown
    .html(text, { headings: { ids: true }, noHtmlBlocks: false })
    .replace(/<!--[^>]{0,400}-->/g, '')
    // Pictures are files of the repository, which the product does not serve.
    .replace(/<picture>(?:[^<]|<(?!\/picture>)){0,2000}<\/picture>/g, '')
    .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replace(/href="(?!https?:)([^"#]{0,200})\.md(#[^"]{0,200})?"/g, 'href="$1$2"')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')} · Renown</title>
<link rel="alternate" type="text/markdown" href="${file}.md">
<style>${style}</style>
</head>
<body>
<div class="reference guide">
<header><p><a href="${up}../docs">API reference</a> · <a href="${up}${guideList}">All guides</a> · <a href="${file}.md">Markdown</a></p></header>
<main class="prose">
${body}</main>
</div>
</body>
</html>
`
}
