import { counterPage, withPages } from './pages'
import { testPlugin } from './test-plugin'

testPlugin(withPages(counterPage))
