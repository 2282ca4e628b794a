// Mantine's inputs with a dropdown, with their styles.

import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';

export { Autocomplete, MultiSelect, Select, TagsInput } from '@mantine/core';
