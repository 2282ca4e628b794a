// Before a release: every screen, in both themes and at three widths.
// The other half of all screens and dialogs; see test/helpers/tour.ts.

import { furtherStops } from '../helpers/tour.ts';
import { walk } from '../helpers/walk.ts';

walk(furtherStops);
