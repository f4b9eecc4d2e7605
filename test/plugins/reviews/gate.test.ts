import { testPlugin } from 'renown/testing'
import leads from '../../../plugins/leads/index'
import reviews from '../../../plugins/reviews/index'

testPlugin(reviews, { with: [leads] })
