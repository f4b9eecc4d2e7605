import { type Browser, chromium } from 'playwright-core'
import { findProgram } from './programs'

/** The Chromium of the system, headless. */
export async function startChromium(): Promise<Browser> {
  const executablePath = findProgram('chromium')
  if (!executablePath) throw new Error('this machine has no chromium')
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      // A visitor, not a robot: what is driven by a program says so in navigator.webdriver, and is not counted.
      '--disable-blink-features=AutomationControlled',
    ],
  })
}
