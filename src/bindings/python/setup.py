# SPDX-License-Identifier: MIT
# The wheel zoetrope-render, for any Python 3. wheel.sh says the version and the machine, and lays its program, which
# needs no library, next to the modules.
import os, pathlib

from setuptools import setup
from wheel.bdist_wheel import bdist_wheel


class program_wheel(bdist_wheel):
    def finalize_options(self):
        self.distribution.has_ext_modules = lambda: True
        super().finalize_options()

    def get_tag(self):
        machine = os.environ["ZOETROPE_MACHINE"]
        return "py3", "none", f"manylinux_2_17_{machine}.musllinux_1_1_{machine}"


setup(
    name="zoetrope-render",
    version=os.environ["ZOETROPE_VERSION"],
    description="Pictures of 3D models without a GPU, a display or OpenGL",
    long_description=pathlib.Path("README.md").read_text(),
    long_description_content_type="text/markdown",
    license="MIT",
    license_files=["LICENSE", "THIRD-PARTY.md", "licences/*"],
    python_requires=">=3.9",
    packages=["zoetrope"],
    package_data={"zoetrope": ["py.typed", "program"]},
    entry_points={"console_scripts": ["zoetrope = zoetrope._pool:main"], "pytest11": ["zoetrope = zoetrope._pytest"]},
    cmdclass={"bdist_wheel": program_wheel},
)
