/** @jsxImportSource ../jsx */

import { browser } from '../jsx/browser'
import { useEffect, useState } from '../jsx/hooks'
import { CodeBlock } from '../parts/kit'

export interface CopyableProps {
  /** Label of the button for screen readers. */
  readonly label: string
  readonly value: string
}

/** Text to copy, of one or more lines. With JavaScript it has a copy button. */
export function Copyable({ label, value }: CopyableProps) {
  const [state, setState] = useState<'still' | 'ready' | 'copied'>('still')
  useEffect(() => {
    if (browser.navigator.clipboard) setState('ready')
  }, [])
  const copy = async () => {
    await browser.navigator.clipboard?.writeText(value)
    setState('copied')
    browser.setTimeout(() => setState('ready'), 2_000)
  }
  return (
    <div class="copyable">
      <CodeBlock>{value}</CodeBlock>
      {state !== 'still' && (
        <button type="button" class="button plain" onClick={() => void copy().catch(() => setState('still'))}>
          {state === 'copied' ? 'Copied' : 'Copy'}
          <span class="unseen"> {label}</span>
        </button>
      )}
    </div>
  )
}
