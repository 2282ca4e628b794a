# Replaces Ansible's plugin "ini" in a run whose inventory is a folder. That plugin reads any file, and also makes
# a host of each line of a script that has failed or that is not executable. Works with ansible-core 2.12 and later.

from __future__ import annotations

import os

from ansible import constants
from ansible.plugins.inventory.ini import InventoryModule as ListOfHosts

DOCUMENTATION = """
    name: signalbox_ini
    short_description: Lists of hosts that are no scripts
    description:
        - Reads what the plugin ini reads, unless it begins as a script does.
"""


class InventoryModule(ListOfHosts):
    NAME = "signalbox_ini"

    def verify_file(self, path):
        if not super().verify_file(path):
            return False
        with open(path, "rb") as file:
            is_script = file.read(2) == b"#!"
        if is_script and os.environ.get("SIGNALBOX_FAIL_WITHOUT_HOSTS"):
            # Makes Ansible report why the script failed, and end. Other files only cause a warning.
            constants.INVENTORY_ANY_UNPARSED_IS_FAILED = True
        return not is_script
