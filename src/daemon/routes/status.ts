import * as z from 'zod'
import { statusEndpoint } from '../api.ts'
import { route } from '../route.ts'

export const statusRoute = route(statusEndpoint, z.undefined(), services => services.status())
